import Foundation

// The C library, under whatever name it has on this system: files that import Groundwork need not ask.
#if canImport(Darwin)
    @_exported import Darwin
#elseif canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#endif

/// The system's error code of a call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    /// The error of this thread's last failed call.
    package static var last: SystemError { SystemError(code: errno) }

    package var description: String { String(cString: strerror(code)) }
}

/// An open file, read and written whole.
package struct Descriptor: Sendable {
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    /// Opens a file for as long as `body` runs.
    package static func withFile<Result>(
        at path: String,
        _ flags: Int32,
        _ body: (Descriptor) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let number = open(path, flags | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw .last }
        defer { close(number) }
        return try body(Descriptor(number: number))
    }

    /// The content of a file.
    package static func bytes(at path: String) throws(SystemError) -> [UInt8] {
        try withFile(at: path, O_RDONLY) { (file) throws(SystemError) in try file.readAll() }
    }

    /// The text of a file, such as one in `/proc`; `nil` if it cannot be read.
    package static func text(at path: String) -> String? {
        (try? bytes(at: path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads to the end.
    package func readAll() throws(SystemError) -> [UInt8] {
        var (bytes, status) = ([UInt8](), stat())
        if fstat(number, &status) == 0 { bytes.reserveCapacity(Int(status.st_size)) }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            start += count
        }
    }
}

/// A path and its parts. The file at it can be replaced as a whole.
package struct FilePath: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    package var name: String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The kind of what stands at this path, such as `S_IFREG`; `nil` if there is nothing. Links are followed.
    package var kind: mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// This path from a folder that it lies under; the path itself if it does not.
    package func relative(to folder: String) -> String {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(prefix) && path != prefix ? String(path.dropFirst(prefix.count)) : path
    }

    /// The nearest folder, from this path upwards, that holds something of this name; `nil` if none does.
    package func nearestFolder(holding name: String) -> String? {
        var folder = path
        while access("\(folder)/\(name)", F_OK) != 0 {
            let above = FilePath(folder).folder
            guard above != folder else { return nil }
            folder = above
        }
        return folder
    }

    /// The path at the end of a chain of symbolic links; nothing need exist there.
    package var target: FilePath {
        var path = path
        for _ in 0..<40 {  // as many as Linux follows
            // An error means that there is no link.
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = link.hasPrefix("/") ? link : "\(FilePath(path).folder)/\(link)"
        }
        return FilePath(path)
    }

    /// Replaces the file at this path, or creates it.
    ///
    /// A reader finds either the old or the new one, whole. Permissions stay.
    ///
    /// - Parameter spare: A path in the same folder, where the new file is written first.
    package func replace(with bytes: [UInt8], by spare: String) throws(SystemError) {
        var before = stat()
        let permissions = stat(path, &before) == 0 ? before.st_mode & 0o777 : nil
        unlink(spare)  // a killed process may have left one
        do throws(SystemError) {
            try Descriptor.withFile(at: spare, O_WRONLY | O_CREAT | O_EXCL) { (file) throws(SystemError) in
                if let permissions, fchmod(file.number, permissions) != 0 { throw .last }
                try file.writeAll(bytes)
            }
            guard rename(spare, path) == 0 else { throw SystemError.last }
        } catch {
            unlink(spare)
            throw error
        }
    }
}

/// Waits for a lock that processes share, and holds it while `body` runs.
///
/// It is a lock on a file, which the system releases when its holder ends. Threads of one process exclude each other as well.
///
/// - Parameter body: Receives the system's error if the file system has no locks, as some network file systems do; else `nil`.
/// - Throws: ``SystemError`` if the file cannot be opened, and any error of `body`.
package func withFileLock<Result>(
    at path: String,
    _ body: (_ problem: SystemError?) throws -> Result
) throws -> Result {
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

/// Writes one line on standard error, control characters escaped.
///
/// An error is ignored, such as a full disk or a closed pipe: it cannot be reported anywhere, and must not end the tests.
package func writeToStandardError(_ line: String) {
    // A write to a pipe without a reader raises SIGPIPE, which is blocked during the write and then discarded.
    var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    try? Descriptor(number: STDERR_FILENO).writeAll(Array("\(line.escapingControlCharacters)\n".utf8))
    sigpending(&pending)
    var signal: Int32 = 0
    if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &signal) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
}
