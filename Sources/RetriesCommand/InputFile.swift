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

    var isFolder: Bool { path.map { FilePath($0).kind == S_IFDIR } ?? false }

    /// `true` if nothing is there. What cannot be looked at may be there: reading it says why it cannot be read.
    var isMissing: Bool {
        guard let path else { return false }
        var status = stat()
        return lstat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    /// `true` for a file, or a link to one.
    var isFile: Bool { path.map { FilePath($0).kind == S_IFREG } ?? false }

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
        try Report(json: bytes(in: context), at: name)
    }

    /// The possible reports in this folder, at any depth: files called `.json`, and others that begin like one. Links to
    /// folders are not followed.
    func reports(in context: CommandContext) throws -> [InputFile] {
        guard let path else { return [] }
        do {
            let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
            let all = names.map { InputFile(name: "\(name)/\($0)", path: "\(path)/\($0)") }
            for file in all where file.isCalledJSON && !file.isFile {
                // The files in a folder of such a name are among `all`.
                if all.contains(where: { $0.name.hasPrefix("\(file.name)/") }) { continue }
                context.log("left out \(file.name), which is no file")
            }
            return all.filter { $0.isFile && ($0.isCalledJSON || $0.beginsLikeReport) }
        } catch {
            let inner = (error as? CocoaError)?.filePath.map { FilePath($0).relative(to: path) } ?? path
            let folder = inner.hasPrefix("/") ? name : "\(name)/\(inner)"
            throw Problem("the folder \(folder) cannot be searched: \(error.localizedDescription)")
        }
    }

    private var isCalledJSON: Bool { name.hasSuffix(".json") }

    /// Hidden files, and those with the ending of temporary ones, are reports that are still being written.
    private var beginsLikeReport: Bool {
        guard let path, !FilePath(path).name.hasPrefix("."), !path.hasSuffix(".new") else { return false }
        do {
            return try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 1) == Data("{".utf8)
        } catch {
            return true  // it may be a report; the error is reported when it is read
        }
    }
}
