#if !os(tvOS) && !os(watchOS)
    /// Starts a command in a session of its own, with these descriptors as its standard streams.
    func spawn(
        _ command: [String],
        _ environment: [String: String],
        _ streams: [Int32],
        closing others: [Int32]?
    ) throws(SystemError) -> pid_t {
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
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        }
        for descriptor in others ?? [] { posix_spawn_file_actions_addclose(&actions, descriptor) }
        // The child does not inherit which signals this process's threads block or ignore.
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &allSignals)
        let flags = setSession | Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(others == nil ? flags : flags | closeByDefault))

        var identifier: pid_t = 0
        var argv = command.map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        let result = posix_spawnp(&identifier, command[0], &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw SystemError(code: result) }
        return identifier
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
