#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that is read and replaced whole.
struct DiskFile {
    let path: String

    /// What tells one version of a file from every other: a new version is a new file under an old name.
    struct Version: Hashable, Sendable {
        var device: UInt64
        var number: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
            size = Int64(status.st_size)
            #if canImport(Darwin)
                seconds = Int(status.st_mtimespec.tv_sec)
                nanoseconds = Int(status.st_mtimespec.tv_nsec)
            #else
                seconds = Int(status.st_mtim.tv_sec)
                nanoseconds = Int(status.st_mtim.tv_nsec)
            #endif
        }
    }

    /// The version that stands there now; `nil` if none does.
    var version: Version? {
        get throws(SystemError) {
            var status = stat()
            if stat(path, &status) == 0 { return Version(status) }
            guard errno == ENOENT else { throw .last }
            return nil
        }
    }

    func bytes() throws(SystemError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Puts `bytes` in the file's place: whoever looks sees the old file or the new one, and nothing between.
    ///
    /// - Parameter temporary: The path of a file beside it that nobody else writes to.
    func replace(with bytes: [UInt8], by temporary: String) throws(SystemError) -> Version {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .last }
        do throws(SystemError) {
            let version = try put(bytes, into: descriptor)
            guard rename(temporary, path) == 0 else { throw SystemError.last }
            return version
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes and closes.
    private func put(_ bytes: [UInt8], into descriptor: Int32) throws(SystemError) -> Version {
        defer { close(descriptor) }
        var failure: SystemError?
        bytes.withUnsafeBytes { buffer in
            var start = 0
            while start < buffer.count, failure == nil {
                let count = write(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
                if count > 0 {
                    start += count
                } else if errno != EINTR {
                    failure = .last
                }
            }
        }
        var status = stat()
        if failure == nil, fstat(descriptor, &status) != 0 { failure = .last }
        if let failure { throw failure }
        return Version(status)
    }
}
