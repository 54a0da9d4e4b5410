#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork

    /// A process that runs tests, as the one sees it that forked it and waits for its end.
    struct TestProcess {
        /// How it came to an end.
        struct Ending {
            /// What `waitpid` told.
            var status: CInt = 0
            /// Whether it was ended because it hung.
            var hasHung = false
            /// A signal that this process was sent meanwhile, and that ends it as well.
            var signal: CInt?
        }

        private let identifier: pid_t

        /// The signals that end this process, and the tests with it. What is ignored (`nohup`) stays so.
        private static let endings = [SIGTERM, SIGINT, SIGHUP].filter { !isIgnored($0) }

        private static let awaited: sigset_t = {
            var set = sigset_t()
            sigemptyset(&set)
            for signal in endings + [SIGCHLD] { sigaddset(&set, signal) }
            return set
        }()

        /// A pipe whose end for writing is the parent's alone.
        private static let lifeline = {
            var ends: [CInt] = [-1, -1]
            pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (read: ends[0], write: ends[1])
        }()

        /// - Returns: The child, in the parent; in the child, `nil`.
        static func fork() throws(SystemError) -> TestProcess? {
            let parent = getpid()
            var (awaited, before) = (awaited, sigset_t())
            guard lifeline.write >= 0 else { throw SystemError.last }
            // What is sent before anybody waits stays pending. For the child, nothing is blocked that was not.
            pthread_sigmask(SIG_BLOCK, &awaited, &before)
            let identifier = Glibc.fork()
            guard identifier == 0 else {
                if identifier > 0 { return TestProcess(identifier: identifier) }
                defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
                throw SystemError.last
            }
            // Whatever this process was started with, these signals come through.
            for signal in [SIGIO, SIGQUIT, SIGVTALRM] { sigaddset(&awaited, signal) }
            pthread_sigmask(SIG_SETMASK, &before, nil)
            pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
            signal(SIGIO, SIG_DFL)
            // When the parent dies, the pipe is closed, and SIGIO ends this process, unless it asks for that signal.
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
        func waitForEnd(limit: Double?, moves: () -> UInt64?) -> Ending {
            var ending = Ending()
            var (seen, quiet) = (moves(), 0.0)
            // A tick counts as one, however long this process was stopped or the machine asleep.
            let tick = limit.map { min($0 / 20, 1) }
            while waitpid(identifier, &ending.status, WNOHANG) != identifier {
                let signal = Self.nextSignal(within: tick)
                if Self.endings.contains(signal) {
                    ending.signal = signal
                    kill(identifier, signal)
                }
                guard let limit, let tick, signal != SIGCHLD else { continue }
                let isQuiet = moves() == seen && seen != nil
                quiet = isQuiet ? quiet + (status("State").hasPrefix("t") ? 0 : tick) : 0
                seen = moves()
                guard quiet >= limit else { continue }
                if endHung(unless: { moves() != seen }, &ending) { return ending }
                quiet = 0
            }
            // What was sent to the whole group may have reached the child first.
            let last = Self.nextSignal(within: 0)
            ending.signal = ending.signal ?? (Self.endings.contains(last) ? last : nil)
            return ending
        }

        /// - Returns: -1 if there was none.
        private static func nextSignal(within seconds: Double?) -> CInt {
            var awaited = awaited
            guard let seconds else { return sigwaitinfo(&awaited, nil) }
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9))
            return sigtimedwait(&awaited, nil, &time)
        }

        // MARK: - A hang

        /// Ends it and what it has started, after the backtrace of its threads where Swift's crash handler is on.
        ///
        /// - Parameter hasMoved: Asked when it cannot move any more.
        /// - Returns: Whether it has ended.
        private func endHung(unless hasMoved: () -> Bool, _ ending: inout Ending) -> Bool {
            kill(identifier, SIGSTOP)
            waitpid(identifier, &ending.status, WUNTRACED)
            guard ending.status & 0xFF == 0x7F else { return true }  // it has just ended by itself
            if hasMoved() {
                kill(identifier, SIGCONT)
                return false
            }
            ending.hasHung = true
            let started = Self.descendants(of: identifier)
            if Self.isCaught(SIGQUIT) { printBacktrace() }
            for process in [identifier] + started { kill(process, SIGKILL) }
            waitpid(identifier, &ending.status, 0)
            return true
        }

        /// The handler prints and returns, for the signal was sent and has no cause: the test would go on, its `sleep` cut
        /// short. So a second signal follows. It has to wait for the handler, which blocks all on its own thread and holds
        /// the others.
        private func printBacktrace() {
            kill(identifier, SIGQUIT)
            kill(identifier, SIGCONT)
            // The handler takes itself off as soon as it has begun.
            guard wait(upTo: 1, until: { UInt64(status("SigCgt"), radix: 16).map { $0 >> (SIGQUIT - 1) & 1 } == 0 })
            else { return }
            kill(identifier, SIGVTALRM)
            _ = wait(upTo: 60) { status("State").hasPrefix("z") }  // the symbols of a large program take their time
        }

        private func wait(upTo seconds: Int, until isDone: () -> Bool) -> Bool {
            for _ in 0..<(seconds * 100) where !isDone() { usleep(10_000) }
            return isDone()
        }

        /// What the kernel tells of it, in small letters.
        private func status(_ key: String) -> String {
            let text = FileManager.default.contents(atPath: "/proc/\(identifier)/status") ?? Data()
            let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("\(key):") }
            return line?.split(separator: "\t").last?.lowercased() ?? ""
        }

        private static func descendants(of process: pid_t) -> [pid_t] {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            return threads.flatMap { thread in
                let file = FileManager.default.contents(atPath: "/proc/\(process)/task/\(thread)/children") ?? Data()
                return String(decoding: file, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
            }.flatMap { [$0] + descendants(of: $0) }
        }

        private static func isIgnored(_ signal: CInt) -> Bool { handler(of: signal) == 1 }
        private static func isCaught(_ signal: CInt) -> Bool { handler(of: signal) > 1 }

        /// The address of a signal's handler; 0 is the default, 1 ignores it.
        private static func handler(of signal: CInt) -> UInt {
            var action = sigaction()
            sigaction(signal, nil, &action)
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
        }
    }
#endif
