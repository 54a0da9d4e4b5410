import Groundwork

/// A process that ends the running command if this process is killed.
///
/// It waits for the end of a socket that only this process can write to. The system closes it however this process ends, also
/// by a signal that no code of ours hears of.
final class OrphanGuard {
    private let socket: Int32

    /// Starts it; to be called before this process has other threads. `nil` where there is no `fork`, or none can be had:
    /// then all works but this.
    init?() {
        #if os(Linux)
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            switch fork() {
            case -1:
                close(ends[0])
                close(ends[1])
                return nil
            case 0:
                close(ends[1])
                Self.guardAndExit(ends[0])
            default:
                close(ends[0])
                socket = ends[1]
            }
        #else
            return nil
        #endif
    }

    /// Has a command ended with this process; none from now on if `nil`, because its number may become another's.
    func watch(_ command: ChildProcess?) {
        var identifier = command?.identifier ?? 0
        #if os(Linux)
            // The guard may have been killed; then the write must fail and not raise SIGPIPE.
            send(socket, &identifier, MemoryLayout<pid_t>.size, Int32(MSG_NOSIGNAL))
        #endif
    }

    #if os(Linux)
        private static func guardAndExit(_ socket: Int32) -> Never {
            setsid()
            // What ends the command by its name is not for this one, which has the same.
            for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
            let null = open("/dev/null", O_RDWR)
            for stream in Int32(0)...2 { dup2(null, stream) }
            var watched: pid_t = 0
            var identifier: pid_t = 0
            let size = MemoryLayout<pid_t>.size
            while true {
                let count = read(socket, &identifier, size)
                if count < 0, errno == EINTR { continue }
                guard count == size else { break }
                watched = identifier
            }
            if watched > 0 { ProcessSession(leader: watched).kill() }
            _exit(0)
        }
    #endif
}

#if os(Linux)
    /// `fork(2)`, which Swift hides where nothing is said of the system.
    @_silgen_name("fork")
    private func fork() -> pid_t
#endif
