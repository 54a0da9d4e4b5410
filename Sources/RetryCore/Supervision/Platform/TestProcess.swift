#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryReport

    /// A process that runs tests, as seen by its parent, which waits for its end.
    package struct TestProcess {
        package let identifier: pid_t

        /// Forks a child, which the system ends when its parent ends.
        ///
        /// - Returns: The child, in the parent; in the child, `nil`.
        package static func start() throws(SystemError) -> TestProcess? {
            typealias Control = @convention(c) (_ option: CInt, _ argument: CUnsignedLong) -> CInt
            guard let control = function("prctl", as: Control.self) else { throw SystemError.last }
            let parent = getpid()
            // Unblocked, because this process may have been started with them blocked. The first three end the run, and
            // `printBacktrace` sends the other two.
            var unblocked = signalSet(SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGVTALRM)
            pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
            _ = signal(SIGCHLD, SIG_DFL)  // if it were ignored, the system would discard the child's status
            let identifier = fork()
            if identifier < 0 { throw .last }
            if identifier > 0 { return TestProcess(identifier: identifier) }
            let endWithParent: CInt = 1  // PR_SET_PDEATHSIG
            _ = control(endWithParent, CUnsignedLong(SIGKILL))
            if getppid() != parent { _exit(1) }
            return nil
        }

        /// A function of the C library that has no declaration in Swift's Glibc.
        private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(nil, name).map { unsafeBitCast($0, to: type) }
        }

        /// Waits for its end, or for `limit` seconds in which `moves` stays the same, or is `nil` as long as nothing can hang.
        ///
        /// - Parameters:
        ///   - isCrashing: If it is, it has a minute for that: a crash handler may wait for what its own thread holds.
        ///   - ending: Ends a process that has hung, with the function that it is given. While that prints the backtrace, the
        ///     process's threads go on for a moment: what they record must not count.
        package func waitForEnd(
            limit: Double?,
            of moves: () -> Int?,
            isCrashing: () -> Bool = { false },
            ending: (_ end: () -> Void) -> Void
        ) -> Death {
            var (status, quiet, crashing, seen): (CInt, Double, Double, Int?) = (0, 0, 0, moves())
            // A tick counts as one, however long this process was stopped or the machine asleep.
            let tick = min((limit ?? 20) / 20, 1)
            while true {
                for _ in 0...Int(tick / 0.004) {
                    if waitpid(identifier, &status, WNOHANG) == identifier { return .ended(self.ending(of: status)) }
                    usleep(4000)  // Not until a signal, which another thread of this process may take.
                }
                if isCrashing() { crashing += tick }
                if crashing > 60 { kill(identifier, SIGKILL) }
                let now = moves()
                let isQuiet = now == seen && now != nil && crashing == 0
                quiet = isQuiet ? quiet + (self.status.isStopped ? 0 : tick) : 0
                seen = now
                guard let limit, quiet >= limit else { continue }
                if endHung(unless: { moves() != seen }, by: ending) { return .hang(seconds: limit) }
                quiet = 0
            }
        }

        private func ending(of status: CInt) -> ProcessEnding {
            let ending = ProcessEnding(status: status)
            // A signal that ends the whole run may reach the child first, and this process right after.
            if [SIGTERM, SIGINT, SIGHUP].contains(where: { ending == .signal($0) }) { usleep(100_000) }
            return ending
        }

        private var status: ProcessStatus { ProcessStatus(of: identifier) }

        /// Stops it, then ends it and the processes that it has started.
        ///
        /// - Returns: `false` if it has moved, and goes on, or has ended by itself.
        private func endHung(unless hasMoved: () -> Bool, by ending: (_ end: () -> Void) -> Void) -> Bool {
            kill(identifier, SIGSTOP)
            var info = siginfo_t()
            waitid(P_PID, id_t(identifier), &info, WSTOPPED | WEXITED | WNOWAIT)
            if hasMoved() || status.isOver {
                kill(identifier, SIGCONT)
                return false
            }
            let started = ProcessStatus.descendants(of: identifier)
            ending {
                if status.handles(SIGQUIT) { printBacktrace() }
                for process in [identifier] + started { kill(process, SIGKILL) }
                waitpid(identifier, nil, 0)
            }
            return true
        }

        /// After a signal that was sent, the crash handler prints and returns, and the test would go on, with its `sleep` cut
        /// short. So a second signal is pending when the process continues: the kernel delivers the lower one first, whose
        /// handler holds back the other, which then ends the process before its main thread runs the test again.
        private func printBacktrace() {
            // To the main thread, whose number is the process's: sent to the process, another thread could take the second one.
            typealias Send = @convention(c) (_ process: pid_t, _ thread: pid_t, _ signal: CInt) -> CInt
            guard let send = Self.function("tgkill", as: Send.self) else { return }
            for signal in [SIGQUIT, SIGVTALRM] { _ = send(identifier, identifier, signal) }
            kill(identifier, SIGCONT)
            // Reading the symbols of a large program takes long.
            for _ in 0..<6000 {
                if status.isOver { return }
                usleep(10_000)
            }
        }
    }

    /// The kernel's view of a process.
    package struct ProcessStatus {
        private let lines: [Substring]

        package init(of process: pid_t) {
            lines = (FilePath("/proc/\(process)/status").readText() ?? "").split(separator: "\n")
        }

        private subscript(key: String) -> Substring {
            lines.first { $0.hasPrefix("\(key):") }?.split(separator: "\t").last ?? ""
        }

        /// The number of its threads; `nil` if they cannot be read.
        package var threads: Int? { Int(self["Threads"]) }

        /// A signal or a debugger has stopped it.
        var isStopped: Bool { self["State"].lowercased().hasPrefix("t") }

        /// It has ended and has not been waited for.
        var isOver: Bool { self["State"].hasPrefix("Z") }

        /// It has a handler for this signal.
        func handles(_ signal: CInt) -> Bool {
            (UInt64(self["SigCgt"], radix: 16) ?? 0) >> (signal - 1) & 1 == 1
        }

        /// The descendants of a process; none if it has ended.
        static func descendants(of process: pid_t) -> [pid_t] {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            let children = threads.flatMap { thread in
                (FilePath("/proc/\(process)/task/\(thread)/children").readText() ?? "").split(separator: " ")
            }
            return children.compactMap { pid_t($0) }.flatMap { [$0] + descendants(of: $0) }
        }
    }
#endif
