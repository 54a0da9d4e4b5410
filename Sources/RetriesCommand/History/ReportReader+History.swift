import Groundwork

extension ReportReader {
    /// The history of what `names` name. A file that cannot be read is named and left out.
    func history(of names: [String], enough: Int) throws -> History {
        let files = try files(named: names)
        let records = files.compactMap { readable($0).map(RunRecord.init) }
        guard !records.isEmpty else {
            guard files.isEmpty else { throw Problem("no report can be read, in \(files.count.of("file"))") }
            throw MissingReport(cause: "there is no report in \(names.joined(separator: ", "))")
        }
        return History(records, enough: enough)
    }

    private func files(named names: [String]) throws -> [InputFile] {
        var seen: Set<String> = []
        return try names.map(search.place).flatMap { place -> [InputFile] in
            if place.isFolder { return try search.candidates(in: place).filter { !isOutput($0) } }
            if place.isMissing { context.say("left out \(place.name), which is not there") }
            return place.isMissing ? [] : [place]
        }.filter { seen.insert($0.identity).inserted }
    }
}
