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
/// a process dies. Where a file system has no locks, processes are on their own.
enum FolderLock {
    /// Waits for the lock, and holds it while `body` runs.
    static func hold<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.last }
        defer { close(descriptor) }  // which lets go of the lock
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return try body()
    }
}

/// What the system answered to a call that failed.
struct SystemError: Error, CustomStringConvertible {
    let code: Int32

    static var last: SystemError { SystemError(code: errno) }

    var description: String { String(cString: strerror(code)) }
}
