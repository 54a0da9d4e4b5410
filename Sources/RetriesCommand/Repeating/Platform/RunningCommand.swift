import Groundwork

/// A command that runs as a child. It leads a session of its own, so that whatever it starts can be ended with it.
///
/// Foundation's `Process` leaves its children in this process's group, where Ctrl-C reaches them before anybody can say
/// what is to become of them, and nothing tells what they have started.
final class RunningCommand: Sendable {
    private let session: Session
    private let isReaped = Locked(false)

    typealias Ending = ProcessEnding

    /// Starts a command as the shell would find it, with nothing to read, and with `output` for all that it writes.
    init(_ command: [String], environment: [String: String], output: Int32) throws(SystemError) {
        var actions = SpawnActions()
        var attributes = SpawnAttributes()
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
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        // What this process does with signals is its own affair.
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &allSignals)
        posix_spawnattr_setflags(&attributes, spawnFlags)

        var identifier: pid_t = 0
        var argv = command.map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        let result = posix_spawnp(&identifier, command[0], &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw SystemError(code: result) }
        session = Session(leader: identifier)
    }

    /// The number by which the guard knows it.
    var identifier: pid_t { session.leader }

    /// Asks it to end, as Ctrl-C would.
    func interrupt() {
        isReaped.withLock { isReaped in
            if !isReaped { session.interruptLeader() }
        }
    }

    /// Ends it, and all that it has started.
    func kill() {
        isReaped.withLock { isReaped in
            if !isReaped { session.kill() }
        }
    }

    /// Waits for its end, and ends what it has left running.
    ///
    /// - Parameter beforeReaping: Called before the system can reuse its number.
    func waitForEnd(beforeReaping: () -> Void) -> Ending {
        // Waits without reaping: until the command is reaped, the system does not reuse its number.
        var info = siginfo_t()
        while waitid(P_PID, id_t(session.leader), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return isReaped.withLock { isReaped in
            session.kill()
            beforeReaping()
            isReaped = true
            var status: Int32 = 0
            while waitpid(session.leader, &status, 0) < 0, errno == EINTR {}
            return ProcessEnding(status: status)
        }
    }
}

#if canImport(Darwin)
    private typealias SpawnActions = posix_spawn_file_actions_t?
    private typealias SpawnAttributes = posix_spawnattr_t?
    private let setSession: Int32 = 0x400  // POSIX_SPAWN_SETSID
#else
    private typealias SpawnActions = posix_spawn_file_actions_t
    private typealias SpawnAttributes = posix_spawnattr_t
    private let setSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which the headers show to GNU's C alone
#endif

private let spawnFlags = Int16(setSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
