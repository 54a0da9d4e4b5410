#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that is written whole or not at all.
struct OutputFile {
    /// As it was named, for messages.
    let name: String
    let path: String

    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    func write(_ bytes: [UInt8]) throws(Trouble) {
        do throws(SystemError) {
            if isPipeOrDevice {
                try put(bytes, at: path, O_WRONLY)
            } else {
                try replace(with: bytes)
            }
        } catch {
            throw Trouble(description: "the output \(name) cannot be written: \(error)")
        }
    }

    /// Writes beside the file and renames, through links, so that they stay.
    private func replace(with bytes: [UInt8]) throws(SystemError) {
        let target = Self.resolved(path) ?? path
        guard !Self.isFolder(target) else { throw SystemError(code: EISDIR) }
        let temporary = "\(target).\(getpid()).new"
        try put(bytes, at: temporary, O_WRONLY | O_CREAT | O_TRUNC)
        guard rename(temporary, target) == 0 else {
            let failure = SystemError.last
            unlink(temporary)
            throw failure
        }
    }

    private func put(_ bytes: [UInt8], at path: String, _ flags: Int32) throws(SystemError) {
        let number = open(path, flags | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw .last }
        let descriptor = Descriptor(number: number)
        defer { descriptor.close() }
        do throws(SystemError) {
            try descriptor.write(bytes)
        } catch {
            if flags & O_CREAT != 0 { unlink(path) }
            throw error
        }
    }

    /// Such as `/dev/stdout`: nothing to rename.
    private var isPipeOrDevice: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The path with no link in it; `nil` if nothing stands there.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
