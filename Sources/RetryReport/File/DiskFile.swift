import Groundwork

/// What stands at a path.
struct DiskFile {
    let path: String

    /// What tells one version of a file from every other.
    struct Version: Hashable, Sendable {
        private let device: UInt64
        private let number: UInt64
        private let seconds: Int
        private let nanoseconds: Int
        /// How many names it has: under another one it is somebody's copy.
        private let names: UInt64
        let size: Int
        let mode: mode_t

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
            names = UInt64(truncatingIfNeeded: status.st_nlink)
            size = Int(status.st_size)
            mode = status.st_mode
            #if canImport(Darwin)
                seconds = Int(status.st_mtimespec.tv_sec)
                nanoseconds = Int(status.st_mtimespec.tv_nsec)
            #else
                seconds = Int(status.st_mtim.tv_sec)
                nanoseconds = Int(status.st_mtim.tv_nsec)
            #endif
        }

        /// Whether it has a content to read; a device or a pipe has none.
        var isRegular: Bool { mode & S_IFMT == S_IFREG }

        var permissions: mode_t { mode & 0o777 }
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
        try OpenFile(reading: path).bytes()
    }

    /// The file at the end of a chain of symbolic links.
    var target: DiskFile {
        var path = path
        for _ in 0..<40 {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            guard count > 0 else { break }
            let link = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            path = link.hasPrefix("/") ? link : "\(DiskFile(path: path).folder)/\(link)"
        }
        return DiskFile(path: path)
    }

    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    var name: String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}
