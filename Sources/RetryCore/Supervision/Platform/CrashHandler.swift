#if !canImport(ObjectiveC)
    import Foundation

    /// Notes a crash when it happens, in a process that runs tests.
    ///
    /// Swift's own handler then stops the other threads, prints the backtrace, and lets them go on until the process has ended.
    /// What they do in that time must not count.
    package enum CrashHandler {
        private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
        /// The handlers before this one, by their signals.
        nonisolated(unsafe) private static let others = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
        private static let process = getpid()
        nonisolated(unsafe) private static var note: (_ signal: CInt, _ isOfThread: Bool) -> Void = { _, _ in }

        /// - Parameter note: Is given the signal, with ``AttemptSlots/Crash/sent`` if it was sent, and whether it is one of the thread
        ///   that it is called on. It must not allocate.
        package static func begin(_ note: @escaping (_ signal: CInt, _ isOfThread: Bool) -> Void) {
            self.note = note
            _ = (process, signals)  // made now, because the handler must not allocate
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | SA_ONSTACK
            action.__sigaction_handler.sa_sigaction = handle
            for signal in signals { sigaction(signal, &action, others + Int(signal)) }
        }

        private typealias Handler =
            @convention(c) (
                CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?
            ) -> Void

        private static let handle: Handler = { signal, info, _ in
            // It returns, the instruction crashes again, and the handler before it shows the right addresses.
            for signal in signals { sigaction(signal, others + Int(signal), nil) }
            let isSent = info.map { $0.pointee.si_code <= 0 } == true
            let noted = isSent ? signal | AttemptSlots.Crash.sent : signal
            // The process is not one that a test has forked. What `kill` (0) sends to it, any thread may take.
            if getpid() == process { note(noted, info?.pointee.si_code != 0) }
            // It was sent, or the instruction, such as a breakpoint, might not crash again.
            if isSent || others[Int(signal)].__sigaction_handler.sa_handler == nil { raise(signal) }
        }
    }
#endif
