import Foundation
import Groundwork

/// What stands at a path.
enum FileKind {
    case folder
    /// A file, or a link to one.
    case file
    /// A link to a folder or to nothing, a pipe, a socket, a device.
    case other

    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR {
            self = .folder
        } else {
            self = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? .file : .other
        }
    }

    /// When the file at `path` was last written; `nil` if none stands there.
    static func modificationDate(at path: String) -> Date? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
    }
}
