import Groundwork

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
                try Descriptor.withFile(at: path, O_WRONLY) { (file) throws(SystemError) in try file.writeAll(bytes) }
            } else {
                let file = FilePath(path).target
                guard !Self.isFolder(file.path) else { throw SystemError(code: EISDIR) }
                try file.replace(with: bytes, by: "\(file.path).\(getpid()).new")
            }
        } catch {
            throw Trouble(description: "the output \(name) cannot be written: \(error)")
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
