#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation
    import Groundwork

    /// A child process that leads a process group of its own, and on Linux a session, so that whatever it starts can be
    /// ended with it.
    ///
    /// Foundation's `Process` leaves its children in the test's group, and reaps them by itself, after which a signal
    /// could hit a stranger with the same number.
    final class ChildProcess: Sendable {
        let identifier: pid_t
        private let isReaped = Locked(false)

        /// Starts an executable with these descriptors as its standard streams; it gets no other.
        init(_ path: String, _ arguments: [String], environment: [String: String], streams: [CInt]) throws {
            var actions = noActions
            var attributes = noAttributes
            var noSignals = sigset_t()
            var allSignals = sigset_t()
            sigemptyset(&noSignals)
            sigfillset(&allSignals)
            posix_spawn_file_actions_init(&actions)
            posix_spawnattr_init(&attributes)
            defer {
                posix_spawn_file_actions_destroy(&actions)
                posix_spawnattr_destroy(&attributes)
            }
            for (number, stream) in streams.enumerated() {
                posix_spawn_file_actions_adddup2(&actions, stream, CInt(number))
            }
            for descriptor in Descriptors.othersThatPass() {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
            // The child must not inherit which signals the test's threads block or ignore.
            posix_spawnattr_setsigmask(&attributes, &noSignals)
            posix_spawnattr_setsigdefault(&attributes, &allSignals)
            posix_spawnattr_setpgroup(&attributes, 0)
            posix_spawnattr_setflags(&attributes, spawnFlags)

            var identifier: pid_t = 0
            var argv = ([path] + arguments).map { strdup($0) } + [nil]
            var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { (argv + envp).forEach { free($0) } }
            let result = Descriptors.startingChildren.withLock { _ in
                posix_spawn(&identifier, path, &actions, &attributes, &argv, &envp)
            }
            guard result == 0 else {
                throw AppLaunchError("\(path) cannot be started: \(SystemError(code: result))")
            }
            self.identifier = identifier
        }

        /// Kills the child and all of its group; does nothing once it has been reaped, when its number may be
        /// another's.
        func kill() {
            isReaped.withLock { isReaped in
                if !isReaped { signalGroup(SIGKILL) }
            }
        }

        /// Blocks until the child has ended, ends what it left running in its group, and says how the child ended.
        ///
        /// - Parameter clean: Called before the system can reuse the child's number.
        func waitForEnd(beforeReaping clean: () -> Void = {}) -> AppProcess.ExitStatus {
            // Waits without reaping: until the child is reaped, the system does not reuse its group's number.
            var info = siginfo_t()
            while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            return isReaped.withLock { isReaped in
                signalGroup(SIGKILL)
                clean()
                isReaped = true
                var status: CInt = 0
                while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
                switch ProcessEnding(status: status) {
                case .exitCode(let code): return .exited(code: code)
                case .signal(let signal): return .killed(signal: signal)
                }
            }
        }

        private func signalGroup(_ signal: CInt) {
            // An error means that the group has no process left.
            _ = Foundation.kill(-identifier, signal)
        }
    }

    #if canImport(Darwin)
        private var noActions: posix_spawn_file_actions_t? { nil }
        private var noAttributes: posix_spawnattr_t? { nil }
        private let spawnFlags = Int16(
            POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
        )
    #else
        private var noActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
        private var noAttributes: posix_spawnattr_t { posix_spawnattr_t() }
        private let spawnFlags = Int16(setSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        /// `POSIX_SPAWN_SETSID`, which glibc's headers declare only for `_GNU_SOURCE`. The leader of a session leads a group
        /// as well.
        private let setSession: CInt = 0x80
    #endif
#endif
