import Foundation
import RetryReport

/// Finds the files that the arguments mean.
struct ReportSearch {
    let context: CommandContext

    /// A file or folder among the arguments.
    func place(named name: String) -> InputFile {
        guard name != "-" else { return InputFile(name: "standard input", path: nil) }
        let shown = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
        return InputFile(name: shown, path: context.absolute(name))
    }

    /// Without a report among the arguments: what `RETRYABLE_REPORT` names, else the newest that `swift test` left.
    func defaultPlace() throws(MissingReport) -> InputFile {
        if let name = EnvironmentVariable.report.value(in: context.environment) { return place(named: name) }
        guard let newest = newestBuildReport() else {
            throw MissingReport(
                cause: "there is no report: RETRYABLE_REPORT is not set, and there is no "
                    + ".build/*/\(ReportLocation.fileName)"
            )
        }
        return newest
    }

    /// What may be a report in `folder`, at any depth, by name: files called `.json`, and others that begin like one.
    ///
    /// Links to folders are not followed, because they can form a cycle.
    func candidates(in folder: InputFile) throws(Problem) -> [InputFile] {
        guard let path = folder.path else { return [] }
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw Problem("the folder \(folder.name) cannot be searched: \(error.localizedDescription)")
        }
        var files: [InputFile] = []
        for entry in entries {
            let file = InputFile(name: "\(folder.name)/\(entry)", path: "\(path)/\(entry)")
            switch FileKind(at: "\(path)/\(entry)") {
            case .folder: files += try candidates(in: file)
            case .file where entry.hasSuffix(".json"): files.append(file)
            // Hidden files, and those with this ending, are on their way to be a report.
            case .file where entry.hasPrefix(".") || entry.hasSuffix(CommandContext.spareSuffix): continue
            case .file where file.beginsLikeJSON: files.append(file)
            case .other where entry.hasSuffix(".json"):
                context.say("left out \(file.name), which is no file, nor a link to one")
            case .file, .other, nil: continue
            }
        }
        return files
    }

    private func newestBuildReport() -> InputFile? {
        // Without a folder that can be read, there is no report in it either.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: context.absolute(".build"))) ?? []
        let reports = names.compactMap { name -> (file: InputFile, date: Date)? in
            let path = ".build/\(name)/\(ReportLocation.fileName)"
            let file = InputFile(name: path, path: context.absolute(path))
            return file.writtenAt.map { (file, $0) }
        }
        return reports.max { $0.date < $1.date }?.file
    }
}
