import Foundation
import Groundwork
import RetryReport

/// One file that the command reads.
struct InputFile: Hashable {
    /// As it was named, for messages.
    let name: String
    /// Where it is; `nil` for standard input.
    let path: String?

    /// The same for two names of one file.
    var identity: String {
        guard let path else { return "-" }
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    func bytes(in context: CommandContext) throws(ReportFileError) -> [UInt8] {
        do throws(SystemError) {
            guard let path else { return try context.standardInput() }
            return try Descriptor.withFile(at: path, O_RDONLY) { (file) throws(SystemError) in try file.readAll() }
        } catch {
            throw ReportFileError(path: name, cause: "cannot be read: \(error)")
        }
    }

    func report(in context: CommandContext) throws(ReportFileError) -> Report {
        let bytes = try bytes(in: context)
        do {
            return try Report(json: bytes)
        } catch {
            throw ReportFileError(path: name, cause: "cannot be read: \(error)")
        }
    }

    var isFolder: Bool { path.map(ReportLocation.isDirectory) ?? false }
    var isMissing: Bool { path.map { FileKind(at: $0) == nil } ?? false }

    /// When it was last written; `nil` if that is not known.
    var writtenAt: Date? {
        // An error means that it is not there, which whoever reads it says.
        let attributes = try? FileManager.default.attributesOfItem(atPath: identity)
        return attributes?[.modificationDate] as? Date
    }

    /// Whether the first character of this file is the one that a report begins with.
    var beginsLikeJSON: Bool {
        guard let path, let file = FileHandle(forReadingAtPath: path) else { return false }
        return (try? file.read(upToCount: 1)) == Data("{".utf8)
    }
}

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
