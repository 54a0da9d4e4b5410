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
        ///   - limit: For how many seconds it may go on without a move.
        ///   - moves: How often it has moved; `nil` while nothing runs that is to move.
        /// - Returns: How it ended, and a signal that this process got meanwhile, which ends this process as well.
        func waitForEnd(limit: Double?, moves: () -> Int?) -> (death: Death, signal: CInt?) {
            var (ending, signal): (CInt, CInt?) = (0, nil)
            var (seen, quiet) = (moves(), 0.0)
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
                let isQuiet = moves() == seen && seen != nil
                quiet = isQuiet ? quiet + (status.isStopped ? 0 : tick) : 0
                seen = moves()
                guard quiet >= limit else { continue }
                if endHung(unless: { moves() != seen }) { return (.hang(seconds: limit), signal) }
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
#endif
