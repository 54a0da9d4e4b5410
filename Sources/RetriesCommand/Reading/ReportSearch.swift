import Foundation
import RetryReport

/// Finds the files that the arguments mean.
struct ReportSearch {
    let context: CommandContext

    enum Place {
        case file(InputFile)
        case folder(InputFile)
    }

    func place(named name: String) -> Place {
        guard name != "-" else { return .file(InputFile(name: "standard input", path: nil)) }
        let path = context.absolute(name)
        guard ReportLocation.isDirectory(path) else { return .file(InputFile(name: name, path: path)) }
        let shown = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
        return .folder(InputFile(name: shown, path: path))
    }

    /// Without a report among the arguments: what `RETRYABLE_REPORT` names, else the newest that `swift test` left.
    func defaultPlace() throws(MissingReport) -> Place {
        if let name = EnvironmentVariable.report.value(in: context.environment) { return place(named: name) }
        guard let newest = newestBuildReport() else {
            throw MissingReport(
                cause: "there is no report: RETRYABLE_REPORT is not set, and there is no "
                    + ".build/*/\(ReportLocation.fileName)"
            )
        }
        return .file(newest)
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

    /// `.build/debug` is a link to a folder one level below, and the first of two equally new ones is taken: so its short
    /// name is the one that is shown.
    private func newestBuildReport() -> InputFile? {
        let folder = context.absolute(".build")
        let first = entries(of: folder)
        let second = first.flatMap { name in entries(of: "\(folder)/\(name)").map { "\(name)/\($0)" } }
        var newest: (file: InputFile, date: Date)?
        for entry in first + second {
            let name = "\(entry)/\(ReportLocation.fileName)"
            let file = InputFile(name: ".build/\(name)", path: "\(folder)/\(name)")
            guard let date = FileKind.modificationDate(at: "\(folder)/\(name)") else { continue }
            if date > newest?.date ?? .distantPast { newest = (file, date) }
        }
        return newest?.file
    }

    /// The names in a folder; none if it is no folder that can be read, because then it holds no report either.
    private func entries(of folder: String) -> [String] {
        guard ReportLocation.isDirectory(folder) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            return []
        }
    }
}
