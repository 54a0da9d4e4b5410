#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore
    import RetryReport
    import Testing

    /// A process that runs tests for its parent, a ``SupervisedRun``, and notes the test in which it crashes.
    enum SupervisedProcess {
        /// How a process knows that it is one. A variable would pass to the processes that tests start.
        private static let prefix = "--retryable-supervised="
        private static let process = getpid()
        /// The file of the events.
        nonisolated(unsafe) private static var events: CInt = -1

        /// The argument for processes that this one starts.
        static func argument(_ memory: Descriptor, _ others: Descriptor...) -> String {
            let numbers = [getpid(), memory.number] + others.map(\.number)
            let run = RunIdentity.current(environment: ProcessInfo.processInfo.environment)
            return prefix + (numbers.map { "\($0)" } + [RunIdentity.process, run]).joined(separator: ",")
        }

        /// Begins to note what the parent has to know; does nothing unless this is such a process.
        static func begin() { _ = isBegun }

        private static let isBegun: Void = {
            guard let argument = CommandLine.arguments.first(where: { $0.hasPrefix(prefix) }) else { return }
            let values = argument.dropFirst(prefix.count).split(separator: ",", maxSplits: 5)
            let numbers = values.compactMap { Int32($0) }
            // A test may have started this one with its own arguments.
            guard numbers.count > 3, values.count == 6, numbers[0] == getppid(),
                let slots = try? AttemptSlots(Descriptor(number: numbers[1]))
            else { return }
            for number in numbers[1...3] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
            RunIdentity.continued = (String(values[4]), String(values[5]))
            AttemptSlots.current = slots
            events = numbers[2]
            // `note` must not allocate, so what it reads is made now.
            _ = (process, Attempt.current, Test.current)
            CrashHandler.begin(note)
            // Before a process ends, `exit` writes what is left of C's files, also of one to which a thread is writing, and
            // so would tear the events. `fflush` waits for the thread.
            //
            // A thread that calls `exit` while another one is in this handler passes over it, to the next.
            for _ in 0..<4 {
                on_exit(
                    { code, _ in
                        guard getpid() == process else { return }
                        noteExit()
                        if RunLifecycle.hasEnded { return }
                        fflush(nil)
                        _exit(code)
                    },
                    nil
                )
            }
        }()

        /// Lets the handler run on this thread, with a stack of its own, as there is no room on one that has overflowed.
        static func prepareThread() {
            // Dispatch's threads block it, and newer versions of glibc (2.43, not 2.36) do not unblock it in `abort`.
            var abort = signalSet(SIGABRT)
            pthread_sigmask(SIG_UNBLOCK, &abort, nil)
            var stack = stack_t()
            guard sigaltstack(nil, &stack) == 0, stack.ss_sp == nil else { return }
            let size = 1 << 16
            stack = stack_t(ss_sp: malloc(size), ss_flags: 0, ss_size: size)
            sigaltstack(&stack, nil)
        }

        /// Notes that this thread has called `exit`.
        static func noteExit() { note(0, isOfThread: true) }

        /// - Parameter signal: 0 if a test calls `exit`.
        private static func note(_ signal: CInt, isOfThread: Bool) {
            guard let slots = AttemptSlots.current else { return }
            // At first only this: if the heap is damaged, what follows may wait for ever.
            let crash = AttemptSlots.Crash(signal: signal, slot: nil)
            if signal != 0 { slots.crash = crash }
            if signal == 0 || crash.isFatal {
                slots.isEnding = true
                var file = stat()
                if fstat(events, &file) == 0 { slots.eventsEnd = Int(file.st_size) }
            }
            guard isOfThread else { return }
            if let slot = Attempt.current?.slot {
                slots.crash = .init(signal: signal, slot: slot.number)
            } else if let test = Test.current {
                let place = test.sourceLocation
                let (file, line, column) = (place.fileID, place.line, place.column)
                let inTest = AttemptSlots.Crash(signal: signal, file: file, line: line, column: column)
                slots.crash = test.isSuite ? .ofSuite(signal: signal) : inTest
            }
        }
    }
#endif
