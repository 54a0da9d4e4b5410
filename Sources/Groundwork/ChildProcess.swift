import Foundation

/// The exit code of a process that has ended, or the signal that ended it.
package enum ProcessEnding: Hashable, Codable, Sendable, CustomStringConvertible {
    case exitCode(Int32)
    case signal(Int32)

    /// - Parameter status: The status that `waitpid` reports for a process that has ended.
    package init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exitCode(status >> 8 & 0xFF) : .signal(signal)
    }

    package var description: String {
        switch self {
        case .exitCode(let code): "exit code \(code)"
        case .signal(let number): "signal \(number), \(String(cString: strsignal(number)))"
        }
    }
}

#if !os(tvOS) && !os(watchOS)  // which start no processes
    /// A child process. It leads a session of its own, so that whatever it starts can be ended with it.
    ///
    /// Foundation's `Process` leaves its children in this process's group, where Ctrl-C reaches them, and reaps them by itself,
    /// after which a signal could hit another process that got the same number.
    package final class ChildProcess: Sendable {
        package let identifier: pid_t
        private let isReaped = Locked(false)

        /// Starts a command as a shell would find it.
        ///
        /// - Parameters:
        ///   - streams: Its standard streams, from input to error output, and descriptors that follow them.
        ///   - closesOthers: True if no other open descriptor may pass to the child.
        ///   - leadsSession: False if it stays in this process's group, where Ctrl-C reaches it.
        package init(
            _ command: [String],
            environment: [String: String],
            streams: [Int32],
            closesOthers: Bool = false,
            leadsSession: Bool = true
        ) throws(SystemError) {
            var actions = SpawnActions()
            var attributes = SpawnAttributes()
            var noSignals = signalSet()
            var allSignals = sigset_t()
            sigfillset(&allSignals)
            posix_spawn_file_actions_init(&actions)
            posix_spawnattr_init(&attributes)
            defer {
                posix_spawn_file_actions_destroy(&actions)
                posix_spawnattr_destroy(&attributes)
            }
            for (number, stream) in streams.enumerated() {
                posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
            }
            if closesOthers {
                // Such as those of a Foundation `Pipe`, which a child inherits. An error means that there is no /proc, as on
                // Apple's systems, which close them themselves.
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
                for descriptor in names.compactMap({ Int32($0) }) where descriptor >= streams.count {
                    posix_spawn_file_actions_addclose(&actions, descriptor)
                }
            }
            // The child does not inherit which signals this process's threads block or ignore.
            posix_spawnattr_setsigmask(&attributes, &noSignals)
            posix_spawnattr_setsigdefault(&attributes, &allSignals)
            var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
            if closesOthers { flags |= closeByDefault }
            if leadsSession { flags |= setSession }
            posix_spawnattr_setflags(&attributes, Int16(flags))

            var process: pid_t = 0
            var argv = command.map { strdup($0) } + [nil]
            var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { (argv + envp).forEach { free($0) } }
            let result = posix_spawnp(&process, command[0], &actions, &attributes, &argv, &envp)
            guard result == 0 else { throw SystemError(code: result) }
            identifier = process
        }

        /// Sends a signal to the child's group, if the child has not been reaped.
        package func signalGroup(_ number: Int32) {
            // An error means that the group has no process left.
            ifNotReaped { _ = kill(-identifier, number) }
        }

        /// Runs `body` if the child has not been reaped, after which its number may be another's.
        package func ifNotReaped(_ body: () -> Void) {
            isReaped.withLock { isReaped in
                if !isReaped { body() }
            }
        }

        /// Blocks until the child has ended.
        ///
        /// - Parameter clean: Called before the system can reuse the child's number.
        /// - Throws: If it is not known how, because this process ignores `SIGCHLD` or waits for all its children elsewhere.
        package func waitForEnd(beforeReaping clean: () -> Void) throws(SystemError) -> ProcessEnding {
            // Waits without reaping: until the child is reaped, the system does not reuse its number, nor its group's.
            var info = siginfo_t()
            while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            var status: Int32 = 0
            let isKnown = isReaped.withLock { isReaped in
                clean()
                isReaped = true
                while waitpid(identifier, &status, 0) < 0 {
                    if errno != EINTR { return false }
                }
                return true
            }
            guard isKnown else { throw .last }
            return ProcessEnding(status: status)
        }

        /// Kills this process, not yet reaped, and those that it has started, until none of them is alive.
        ///
        /// Killing its group is not enough, because SwiftPM and Foundation's `Process` give every child a group of its own. On
        /// Linux, processes in other groups are found if they are in its session.
        ///
        /// - Parameter isIncluded: Whether to kill a process outside of the session as well.
        package func killAll(and isIncluded: (pid_t) -> Bool = { _ in false }) {
            // An error means that the group has no process left.
            _ = kill(-identifier, SIGKILL)
            // Repeated, because a process may have started another one after it was listed. Bounded, because a process that
            // waits for a disk cannot be killed.
            for _ in 0..<200 {
                // Only Linux has /proc; elsewhere, only the process's group is known.
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
                let left = names.compactMap { pid_t($0) }.filter { process in
                    guard let fields = processFields(of: process), fields.first != "Z" else { return false }
                    return fields.dropFirst(3).first == "\(identifier)" || isIncluded(process)
                }
                if left.isEmpty { return }
                for process in left { _ = kill(process, SIGKILL) }
            }
        }
    }

    #if canImport(Darwin)
        private typealias SpawnActions = posix_spawn_file_actions_t?
        private typealias SpawnAttributes = posix_spawnattr_t?
        private let setSession: Int32 = 0x400  // POSIX_SPAWN_SETSID
        private let closeByDefault = Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
        private typealias SpawnActions = posix_spawn_file_actions_t
        private typealias SpawnAttributes = posix_spawnattr_t
        // POSIX_SPAWN_SETSID, which glibc's headers declare only for `_GNU_SOURCE`.
        private let setSession: Int32 = 0x80
        private let closeByDefault: Int32 = 0
    #endif
#endif
