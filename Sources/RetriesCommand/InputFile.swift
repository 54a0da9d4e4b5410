import Foundation
import Groundwork
import RetryReport

/// A file, a folder or standard input, which a command reads.
struct InputFile: Hashable {
    /// The path as the user gave it, for messages.
    let name: String
    /// The absolute path; `nil` for standard input.
    let path: String?

    /// The path without symbolic links, which is the same for two names of one file.
    var identity: String { path.map(Self.resolved) ?? "-" }

    /// Resolves the symbolic links in a path; returns the path itself if there is no such file.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private var kind: mode_t? { path.flatMap { FilePath($0).kind } }

    var isFolder: Bool { kind == S_IFDIR }

    /// Whether there is no such file. If that cannot be determined, it is `false`, and reading the file gives the error.
    var isMissing: Bool {
        guard let path else { return false }
        var status = stat()
        return lstat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    func bytes(in context: CommandContext) throws(ReportFileError) -> [UInt8] {
        do {
            guard let path else { return try context.standardInput() }
            return try FilePath(path).read()
        } catch {
            throw ReportFileError(path: name, cause: "cannot be read: \(error)")
        }
    }

    func report(in context: CommandContext) throws(ReportFileError) -> Report {
        try Report(json: bytes(in: context), at: name)
    }

    /// Finds the files in this folder, at any depth, that may be reports: those called `.json`, and others that begin like JSON.
    /// A dangling link called `.json` is one, so that reading it gives the error.
    ///
    /// - Parameter outer: The folders, without links, whose search led here; a link to one of them leads to nothing new.
    func candidates(in context: CommandContext, inside outer: Set<String> = []) throws -> [InputFile] {
        guard let path, !outer.contains(identity) else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw Problem("the folder \(name) cannot be searched: \(error.localizedDescription)")
        }
        let found = names.map { InputFile(name: "\(name)/\($0)", path: "\(path)/\($0)") }
        let all = outer.union([identity])
        // SwiftPM and Xcode put other packages, with files of their own, beside a file of this name.
        let others = names.contains("workspace-state.json") ? "\(name)/checkouts" : nil
        let folders = found.filter { $0.isFolder && $0.name != others }
        let inner = try folders.flatMap { try $0.candidates(in: context, inside: all) }
        for file in found where file.isCalledJSON && ![S_IFREG, S_IFDIR, nil].contains(file.kind) {
            context.log("left out \(file.name), which is no file")
        }
        for file in found where !file.isCalledJSON && file.kind == nil && file.name.contains("\u{FFFD}") {
            context.log("left out \(file.name), whose name is not UTF-8")
        }
        let files = found.filter { $0.isCalledJSON ? [S_IFREG, nil].contains($0.kind) : $0.beginsLikeJSON }
        return (files + inner).sorted { $0.name < $1.name }
    }

    /// Whether a candidate with this content is a report, whole or torn. A folder may hold other JSON, which is passed over.
    func isReport(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return isCalledJSON }
        // A file with this name must be a report, so that what a failed download left there is an error.
        if FilePath(name).name == ReportLocation.fileName { return true }
        // Every version of Retryable begins a report like this. A file that was cut off may hold only a part of it.
        let text = String(decoding: bytes.prefix(100), as: UTF8.self).filter { !$0.isWhitespace }
        let beginnings = [#"{"marks":["#, #"{"retries":["#]
        if beginnings.contains(where: { text.hasPrefix($0) || $0.hasPrefix(text) }) { return true }
        func value(_ bytes: some Sequence<UInt8>) -> Any? {
            // An error means that this is no JSON, or several texts of JSON.
            try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        }
        if let value = value(bytes) { return (value as? [String: Any])?["retries"] != nil }
        // A `.json` file that is no JSON was cut off, or stands in a report's place, unless it has a value in each line.
        return isCalledJSON && value(bytes.prefix { $0 != UInt8(ascii: "\n") }) == nil
    }

    var isCalledJSON: Bool { name.hasSuffix(".json") }

    /// Whether its first character is that of a report. Hidden files, and those called `.new`, are still being written.
    private var beginsLikeJSON: Bool {
        guard let path, kind == S_IFREG, !FilePath(path).name.hasPrefix("."), !path.hasSuffix(".new")
        else { return false }
        do {
            return try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 1) == Data("{".utf8)
        } catch {
            return true  // it may be a report, and reading it gives the error
        }
    }
}
