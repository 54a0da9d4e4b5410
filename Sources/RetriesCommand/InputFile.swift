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
    var identity: String { path.map(Self.resolved) ?? "-" }

    /// A path without links in it; the path itself if nothing is there.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    var isFolder: Bool { path.map(ReportLocation.isDirectory) ?? false }

    /// `true` if nothing is there. What cannot be looked at may be there: reading it says why it cannot be read.
    var isMissing: Bool {
        guard let path else { return false }
        var status = stat()
        return lstat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    /// The kind of the file at the path; `nil` if there is none. A link to a file counts as a file, any other as a link.
    var kind: FileAttributeType? {
        func kind(at path: String) -> FileAttributeType? {
            (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        }
        return kind(at: identity) == .typeRegular ? .typeRegular : path.flatMap(kind)
    }

    /// The time of the last change; `nil` if the file is missing, which is reported when it is read.
    var writtenAt: Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: identity)
        return attributes?[.modificationDate] as? Date
    }

    func bytes(in context: CommandContext) throws(ReportFileError) -> [UInt8] {
        do {
            guard let path else { return try context.standardInput() }
            return try Descriptor.bytes(at: path)
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
            switch file.kind {
            case .typeDirectory: files += try file.reports(in: context)
            case .typeRegular where entry.hasSuffix(".json"): files.append(file)
            // Hidden files and those with this ending are reports that are still being written.
            case .typeRegular where entry.hasPrefix(".") || entry.hasSuffix(CommandContext.temporarySuffix): continue
            case .typeRegular where file.beginsLikeJSON: files.append(file)
            case .typeRegular: continue
            default:
                guard entry.hasSuffix(".json") else { continue }
                context.log("left out \(file.name), which is neither a file nor a link to one")
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
