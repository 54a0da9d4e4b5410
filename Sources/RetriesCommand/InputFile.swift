import Foundation
import Groundwork
import RetryReport

/// One file or folder that the command reads.
struct InputFile: Hashable {
    /// The path as the user gave it, for messages.
    let name: String
    /// The absolute path; `nil` for standard input.
    let path: String?

    /// The same for two names of one file.
    var identity: String {
        guard let path else { return "-" }
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    var isFolder: Bool { path.map(ReportLocation.isDirectory) ?? false }
    var isMissing: Bool { path.map { FileKind(at: $0) == nil } ?? false }

    /// The time of the last change; `nil` if the file is missing, which is reported when it is read.
    var writtenAt: Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: identity)
        return attributes?[.modificationDate] as? Date
    }

    func bytes(in context: CommandContext) throws(ReportFileError) -> [UInt8] {
        do {
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

    /// The possible reports in this folder, at any depth, by name: files called `.json`, and others that begin like one.
    ///
    /// Links to folders are not followed, because they can form a cycle.
    func reports(in context: CommandContext) throws -> [InputFile] {
        guard let path else { return [] }
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw Problem("the folder \(name) cannot be searched: \(error.localizedDescription)")
        }
        var files: [InputFile] = []
        for entry in entries {
            let file = InputFile(name: "\(name)/\(entry)", path: "\(path)/\(entry)")
            switch FileKind(at: "\(path)/\(entry)") {
            case .folder: files += try file.reports(in: context)
            case .file where entry.hasSuffix(".json"): files.append(file)
            // Hidden files and those with this ending are reports that are still being written.
            case .file where entry.hasPrefix(".") || entry.hasSuffix(CommandContext.temporarySuffix): continue
            case .file where file.beginsLikeJSON: files.append(file)
            case .other where entry.hasSuffix(".json"):
                context.log("left out \(file.name), which is neither a file nor a link to one")
            case .file, .other, nil: continue
            }
        }
        return files
    }

    /// `true` if this file begins with the first character of a report.
    private var beginsLikeJSON: Bool {
        guard let path, let file = FileHandle(forReadingAtPath: path) else { return false }
        return (try? file.read(upToCount: 1)) == Data("{".utf8)
    }
}

/// The kind of thing at a path.
private enum FileKind {
    case folder
    /// A file, or a link to one.
    case file
    /// A link to a folder or to nothing, a pipe, a socket, a device.
    case other

    /// `nil` if nothing is there.
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
