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
}
