/// A lock that processes share: a lock on a file, which the system releases when its holder ends.
package struct FileLock: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Waits for the lock, and holds it while `body` runs. Threads of one process exclude each other as well.
    ///
    /// - Parameter body: Is given the system's error if the file system has no locks, as some network file systems;
    ///   else `nil`.
    /// - Throws: ``SystemError`` if the file cannot be opened, and what `body` throws.
    package func withLock<Result>(_ body: (_ problem: SystemError?) throws -> Result) throws -> Result {
        // Opened each time, because a lock belongs to the open file: threads that shared one would not exclude each other.
        let file = open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw SystemError.last }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { return try body(.last) }
        }
        // Closing is not enough: a child that was forked meanwhile has the file open as well.
        defer { flock(file, LOCK_UN) }
        return try body(nil)
    }
}
