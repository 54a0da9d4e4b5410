#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore

    /// A process that runs tests, as seen by its parent, which waits for its end.
    struct TestProcess {
        let identifier: pid_t

        /// This process, before it forks.
        static let atFirst = ProcessStatus(of: getpid())
        private static let ignored = atFirst.signals("SigIgn")

        /// The signals that end this process, and the tests with it. What is ignored (`nohup`) stays so.
        private static let endings = [SIGTERM, SIGINT, SIGHUP].filter { !ignored.contains($0) }

        private static let awaited: sigset_t = {
            var set = sigset_t()
            sigemptyset(&set)
            for signal in endings + [SIGCHLD] { sigaddset(&set, signal) }
            return set
        }()

        /// A pipe whose writing end only the parent has open.
        private static let lifeline = {
            var ends: [CInt] = [-1, -1]
            pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (read: ends[0], write: ends[1])
        }()

        /// Forks.
        ///
        /// - Returns: The child, in the parent; in the child, `nil`.
        static func start() throws(SystemError) -> TestProcess? {
            let parent = getpid()
            var (awaited, before) = (awaited, sigset_t())
            guard lifeline.write >= 0 else { throw SystemError.last }
            // Blocked, so that a signal that comes before the wait begins stays pending.
            pthread_sigmask(SIG_BLOCK, &awaited, &before)
            _ = signal(SIGCHLD, SIG_DFL)  // if it is ignored, the system discards how a child ended
            let identifier = fork()
            if identifier > 0 { return TestProcess(identifier: identifier) }
            let problem = SystemError.last
            if ignored.contains(SIGCHLD) { _ = signal(SIGCHLD, SIG_IGN) }
            pthread_sigmask(SIG_SETMASK, &before, nil)
            if identifier < 0 { throw problem }
            // Unblocked in the child, whatever mask this process was started with.
            for signal in [SIGIO, SIGQUIT, SIGVTALRM] { sigaddset(&awaited, signal) }
            pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
            // When the parent dies, the pipe is closed, and SIGIO ends this process, unless it asks for that signal.
            _ = signal(SIGIO, SIG_DFL)
            close(lifeline.write)
            _ = fcntl(lifeline.read, F_SETOWN, getpid())
            _ = fcntl(lifeline.read, F_SETFL, O_ASYNC)
            if getppid() != parent { _exit(1) }
            return nil
        }

        /// Waits for its end.
        ///
        /// - Parameters:
        ///   - limit: The seconds that it may go on without a move.
        ///   - run: Its progress.
        /// - Returns: Its end, and a signal that this process got meanwhile, which ends this process as well.
        func waitForEnd(limit: Double?, of run: SharedRun) -> (death: Death, signal: CInt?) {
            var (ending, signal): (CInt, CInt?) = (0, nil)
            var (seen, quiet) = (run.state.moves, 0.0)
            // A tick counts as one, however long this process was stopped or the machine asleep.
            let tick = limit.map { min($0 / 20, 1) }
            while waitpid(identifier, &ending, WNOHANG) != identifier {
                let next = Self.nextSignal(within: tick)
                if Self.endings.contains(next) {
                    signal = next
                    // A stopped process would not get the signal until it continues.
                    for signal in [next, SIGCONT] { kill(identifier, signal) }
                }
                guard let limit, let tick, next != SIGCHLD else { continue }
                let isQuiet = run.state.moves == seen && seen != nil
                quiet = isQuiet ? quiet + (status.isStopped ? 0 : tick) : 0
                seen = run.state.moves
                guard quiet >= limit else { continue }
                if endHung(run, unlessMovedSince: seen) { return (.hang(seconds: limit), signal) }
                quiet = 0
            }
            let death = Death.ended(ProcessEnding(status: ending))
            // A signal that ends the whole run may reach the child first, and this process right after.
            let mayFollow = Self.endings.contains { death == .ended(.signal($0)) }
            var last = SIGCHLD
            while last == SIGCHLD { last = Self.nextSignal(within: mayFollow ? 0.1 : 0) }
            return (death, last > 0 ? last : signal)
        }

        /// - Returns: -1 if there was none.
        private static func nextSignal(within seconds: Double?) -> CInt {
            var awaited = awaited
            guard let seconds else { return sigwaitinfo(&awaited, nil) }
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9))
            return sigtimedwait(&awaited, nil, &time)
        }
    }

    extension TestProcess {
        var status: ProcessStatus { ProcessStatus(of: identifier) }

        /// Ends it and the processes that it has started, after the backtrace of its threads where Swift's crash handler is on.
        ///
        /// - Returns: `false` if it has moved, and goes on, or has ended by itself.
        func endHung(_ run: SharedRun, unlessMovedSince moves: Int?) -> Bool {
            kill(identifier, SIGSTOP)
            var info = siginfo_t()
            waitid(P_PID, id_t(identifier), &info, WSTOPPED | WEXITED | WNOWAIT)
            if run.state.moves != moves || status.isOver {
                kill(identifier, SIGCONT)
                return false
            }
            let started = ProcessStatus.descendants(of: identifier)
            // For a moment after it continues, its threads go on: what they record must not count.
            run.keepingState {
                if status.signals("SigCgt").contains(SIGQUIT) { printBacktrace() }
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
            guard let symbol = dlsym(nil, "tgkill") else { return }  // it has no declaration in Swift's Glibc
            let send = unsafeBitCast(symbol, to: Send.self)
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
    struct ProcessStatus {
        private let lines: [Substring]

        init(of process: pid_t) {
            lines = (Descriptor.text(at: "/proc/\(process)/status") ?? "").split(separator: "\n")
        }

        private subscript(key: String) -> Substring {
            lines.first { $0.hasPrefix("\(key):") }?.split(separator: "\t").last ?? ""
        }

        /// The number of its threads; `nil` if the kernel does not tell.
        var threads: Int? { Int(self["Threads"]) }

        /// A signal or a debugger has stopped it.
        var isStopped: Bool { self["State"].lowercased().hasPrefix("t") }

        /// It has ended and has not been waited for.
        var isOver: Bool { self["State"].hasPrefix("Z") }

        /// The signals that it ignores (`SigIgn`) or handles (`SigCgt`).
        func signals(_ key: String) -> [CInt] {
            let mask = UInt64(self[key], radix: 16) ?? 0
            return (1...64).filter { mask >> (UInt64($0) - 1) & 1 == 1 }
        }

        /// The descendants of a process.
        static func descendants(of process: pid_t) -> [pid_t] {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            let children = threads.flatMap { thread in
                (Descriptor.text(at: "/proc/\(process)/task/\(thread)/children") ?? "").split(separator: " ")
            }
            return children.compactMap { pid_t($0) }.flatMap { [$0] + descendants(of: $0) }
        }
    }
#endif
