/// A lock that processes share: who holds it has a file locked, and loses it at the latest by ending.
package struct FileLock: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Waits for the lock, and holds it while `body` runs. Threads of one process exclude each other as well.
    ///
    /// - Parameter body: Is given the system's answer if there is no such lock to be had, as over some networks, else `nil`.
    /// - Throws: ``SystemError`` if the file cannot be opened, and what `body` throws.
    package func withLock<Result>(_ body: (_ problem: SystemError?) throws -> Result) throws -> Result {
        // Opened anew each time: a lock belongs to the open file.
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
