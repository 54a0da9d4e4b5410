import Dispatch
import Groundwork
import RetryReport

/// Reads the reports of many runs, several files at a time.
struct HistoryReader {
    let context: CommandContext
    /// The file that the command is to write: left out of folders, where an earlier one would be in the way.
    var output: String?

    /// How many reports are kept whole until they are made part of the history.
    private static let batch = 256

    /// The history of what `names` name. A file that cannot be read is named and left out.
    func history(of names: [String], enough: Int) throws -> History {
        let files = try files(named: names)
        var texts = MarkTexts()
        var records: [RunRecord] = []
        for start in stride(from: 0, to: files.count, by: Self.batch) {
            let batch = Array(files[start..<min(start + Self.batch, files.count)])
            for (file, result) in zip(batch, Self.read(batch)) {
                switch result {
                case .success(let report): records.append(RunRecord(report, &texts))
                case .failure(let error): context.say("left out \(file.name), which \(error.cause)")
                }
            }
        }
        guard !records.isEmpty else {
            guard files.isEmpty else { throw Problem("no report can be read, in \(files.count.of("file"))") }
            throw MissingReport(cause: "there is no report in \(names.joined(separator: ", "))")
        }
        return History(records, texts, enough: enough)
    }

    private func files(named names: [String]) throws -> [InputFile] {
        let search = ReportSearch(context: context)
        let output = output.map { InputFile(name: $0, path: context.absolute($0)).identity }
        var seen: Set<String> = []
        return try names.flatMap { name -> [InputFile] in
            switch search.place(named: name) {
            case .file(let file) where file.path == nil:
                throw Problem("history reads files and folders, not standard input")
            case .file(let file) where file.isMissing:
                context.say("left out \(name), which is not there")
                return []
            case .file(let file): return [file]
            case .folder(let folder): return try search.candidates(in: folder).filter { $0.identity != output }
            }
        }.filter { seen.insert($0.identity).inserted }
    }

    private static func read(_ files: [InputFile]) -> [Result<Report, ReportFileError>] {
        let results = Locked([Result<Report, ReportFileError>?](repeating: nil, count: files.count))
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            let result = Result { () throws(ReportFileError) in try files[index].report(in: nil) }
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
