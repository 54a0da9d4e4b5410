import Groundwork

extension ReportReader {
    /// The history of what `names` name. A file that cannot be read is named and left out.
    func history(of names: [String], enough: Int) throws -> History {
        let files = try files(named: names)
        var records: [RunRecord] = []
        for file in files {
            do {
                records.append(RunRecord(try file.report(in: context)))
            } catch {
                context.say("left out \(file.name), which \(error.cause)")
            }
        }
        guard !records.isEmpty else {
            guard files.isEmpty else { throw Problem("no report can be read, in \(files.count.of("file"))") }
            throw MissingReport(cause: "there is no report in \(names.joined(separator: ", "))")
        }
        return History(records, enough: enough)
    }

    private func files(named names: [String]) throws -> [InputFile] {
        let search = ReportSearch(context: context)
        var seen: Set<String> = []
        return try names.flatMap { name -> [InputFile] in
            switch search.place(named: name) {
            case .file(let file) where file.isMissing:
                context.say("left out \(name), which is not there")
                return []
            case .file(let file): return [file]
            case .folder(let folder): return try search.candidates(in: folder).filter { !isOutput($0) }
            }
        }.filter { seen.insert($0.identity).inserted }
    }
}
