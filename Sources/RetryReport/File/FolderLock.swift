import Groundwork

/// Keeps other processes out of a folder's report while one changes it.
///
/// The folder itself is locked, so that no file of the lock is left beside the report, and the kernel lets go of it when
/// a process dies. Where a folder cannot be locked, as over NFS, a file in it is, and stays there.
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
    ///   - body: Is told whether the lock is held; it is not on a file system that has no locks at all.
    static func hold<Result>(
        _ folder: String,
        patience: Int,
        _ body: (_ isHeld: Bool) throws -> Result
    ) throws -> Result {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.last }
        defer { close(descriptor) }
        if try lock(descriptor, of: folder, patience) {
            // Closing is not enough: a child that was forked meanwhile has the descriptor as well.
            defer { flock(descriptor, LOCK_UN) }
            return try body(true)
        }
        let file = open("\(folder)/.retryable.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw SystemError.last }
        defer { close(file) }
        let isHeld = try lock(file, of: folder, patience)
        defer { if isHeld { flock(file, LOCK_UN) } }
        return try body(isHeld)
    }

    /// Whether there is such a lock; then it is held.
    private static func lock(_ descriptor: Int32, of folder: String, _ patience: Int) throws -> Bool {
        var waited = 0
        var pause = 100
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { return false }
            guard waited < patience * 1_000_000 else { throw Taken(folder: folder, seconds: patience) }
            usleep(UInt32(pause))
            waited += pause
            pause = min(pause * 2, 4000)
        }
        return true
    }
}
