import Foundation
import RetryReport

/// Finds the reports that the arguments mean.
struct ReportSearch {
    let surroundings: Surroundings

    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    /// The reports that `names` name: `-`, files and folders to search. No file is taken twice.
    func files(named names: [String]) throws -> [InputFile] {
        var seen: Set<String> = []
        return try names.flatMap(files(named:)).filter { file in
            guard let path = file.path else { return seen.insert("-").inserted }
            return seen.insert(OutputFile.resolved(path) ?? path).inserted
        }
    }

    /// Where nobody names a report: what `RETRYABLE_REPORT` names, else the newest that `swift test` left.
    func defaultFiles() throws -> [InputFile] {
        if let name = EnvironmentVariable.report.value(in: surroundings.environment) {
            return try files(named: [name])
        }
        guard let newest = newestBuildReport() else {
            throw Trouble(
                description: "there is no report: RETRYABLE_REPORT is not set, and there is no "
                    + ".build/*/\(ReportLocation.fileName); run the tests first, or name a report"
            )
        }
        return [newest]
    }

    private func files(named name: String) throws -> [InputFile] {
        guard name != "-" else { return [InputFile(name: "standard input", path: nil)] }
        let path = surroundings.absolute(name)
        guard ReportLocation.isDirectory(path) else { return [InputFile(name: name, path: path)] }
        let found = try search(InputFile(name: name.hasSuffix("/") ? String(name.dropLast()) : name, path: path))
        guard !found.isEmpty else {
            throw Trouble(description: "the folder \(name) holds no \(ReportLocation.fileName)")
        }
        return found
    }

    /// Links to folders are not followed, so that there is an end to it.
    private func search(_ folder: InputFile) throws -> [InputFile] {
        guard let path = folder.path else { return [] }
        var entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw Trouble(description: "the folder \(folder.name) cannot be searched: \(error.localizedDescription)")
        }
        return try entries.flatMap { entry -> [InputFile] in
            let file = InputFile(name: "\(folder.name)/\(entry)", path: "\(path)/\(entry)")
            switch FileKind(at: file.path ?? "") {
            case .folder: return try search(file)
            case .other where entry == ReportLocation.fileName: return [file]
            default: return []
            }
        }
    }

    /// `.build/debug` is a link to a folder one level below, and the first of two equally new ones is taken: so its short
    /// name is the one that is shown.
    private func newestBuildReport() -> InputFile? {
        let folder = surroundings.absolute(".build")
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
