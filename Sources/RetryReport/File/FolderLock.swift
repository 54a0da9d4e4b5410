#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Keeps other processes out of a folder's report while one changes it.
///
/// The folder itself is locked, so that no file of the lock is left beside the report, and the kernel lets go of it when
/// a process dies.
enum FolderLock {
    /// Somebody has kept the lock for longer than a report takes to write.
    struct Taken: Error, CustomStringConvertible {
        let folder: String
        let seconds: Int

        var description: String { "another process has kept \(folder) locked for \(seconds) seconds" }
    }

    /// Waits for the lock, and holds it while `body` runs.
    ///
    /// Waiting ends, so that tests do not hang where somebody holds the folder for purposes of their own
    /// (`flock artifacts swift test`).
    ///
    /// - Parameters:
    ///   - folder: The folder that the report is in.
    ///   - patience: How many seconds to wait.
    ///   - body: Is told whether the lock is held; it is not on a file system that has no locks.
    static func hold<Result>(
        _ folder: String,
        patience: Int = 30,
        _ body: (_ isHeld: Bool) throws -> Result
    ) throws -> Result {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.last }
        defer { close(descriptor) }
        var waited = 0
        var pause = 100
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { return try body(false) }
            guard waited < patience * 1_000_000 else { throw Taken(folder: folder, seconds: patience) }
            usleep(UInt32(pause))
            waited += pause
            pause = min(pause * 2, 4000)
        }
        // Closing is not enough: a child that was forked meanwhile has the descriptor as well.
        defer { flock(descriptor, LOCK_UN) }
        return try body(true)
    }
}
