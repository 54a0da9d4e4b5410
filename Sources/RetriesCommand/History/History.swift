import Foundation
import Groundwork
import RetryReport

/// What became of each mark in many runs.
struct History {
    /// In the order in which they began; those that do not say when, because version 0.6.0 did not, come first.
    let runs: [Run]
    /// Those to look at first come first; those that the newest run did not enter come last.
    private(set) var marks: [MarkHistory]
    /// In how many runs a mark must not have flaked to be one that can go.
    let enough: Int

    struct Run: Encodable {
        /// `nil` for a report of version 0.6.0, which did not say.
        var id: String?
        var startedAt: Date?
        /// Whether a process of it has not ended.
        var isUnfinished: Bool
        /// Whether it says how often each mark was entered.
        var countsMarks: Bool

        private enum CodingKeys: String, CodingKey {
            case id, startedAt, countsMarks
            case isUnfinished = "unfinished"
        }
    }

    init(_ records: [RunRecord], enough: Int = MarkVerdict.enoughRuns) {
        self.enough = enough
        let records = Self.runs(of: records)
        runs = records.map(\.run)
        // A run that does not count marks does not tell which there are.
        let newest = runs.lastIndex(where: \.countsMarks) ?? 0
        var known = KnownMarks(in: records)
        for (number, record) in records.enumerated() { known.add(record, number: number) }
        marks = known.all
        for index in marks.indices { marks[index].conclude(runs: runs.count, newest: newest, enough: enough) }
        marks.sort { first, second in
            if first.isInNewestRun != second.isInNewestRun { return first.isInNewestRun }
            if first.verdict != second.verdict { return first.verdict < second.verdict }
            if first.evidence.rate != second.evidence.rate { return first.evidence.rate > second.evidence.rate }
            return first.newest.identity < second.newest.identity
        }
    }

    /// Puts together the reports that are of one run, because shards were given one id, and drops copies.
    private static func runs(of records: [RunRecord]) -> [RunRecord] {
        let sorted = records.sorted { first, second in
            let (a, b) = (first.run, second.run)
            if a.startedAt != b.startedAt { return a.startedAt ?? .distantPast < b.startedAt ?? .distantPast }
            if a.id != b.id { return a.id ?? "" < b.id ?? "" }
            return a.id != nil && first.weight > second.weight
        }
        var runs: [RunRecord] = []
        var places: [String: Int] = [:]
        var starts: [String: Set<Date?>] = [:]
        for record in sorted {
            guard let id = record.run.id else {
                runs.append(record)
                continue
            }
            // Of one run, reports that began at the same moment are copies; the one that tells the most comes first.
            guard starts[id, default: []].insert(record.run.startedAt).inserted else { continue }
            if let place = places[id] {
                runs[place].add(record)
            } else {
                places[id] = runs.count
                runs.append(record)
            }
        }
        return runs
    }
}

extension History.Run {
    init(_ report: Report) {
        id = report.run?.id
        startedAt = report.run?.startedAt
        isUnfinished = report.run.map { $0.finishedAt == nil } ?? false
        countsMarks = report.marks != nil
    }
}

/// What a history keeps of one report: far less than the report, of which there may be thousands.
struct RunRecord {
    private(set) var run: History.Run
    private(set) var sightings: [Sighting]

    /// A mark, as the report has it.
    struct Sighting {
        /// What was counted. The file is empty and the line 0 where the report does not say, as that of version 0.6.0.
        var mark: MarkCount
        /// The tests that flaked because of it.
        var tests: [FlakedTest] = []

        var hasFlaked: Bool { mark.flakes + mark.failures > 0 || !tests.isEmpty }

        mutating func add(_ other: Sighting) {
            mark.add(other.mark)
            tests += other.tests
        }
    }

    init(_ report: Report) {
        run = History.Run(report)
        sightings = (report.marks ?? []).map { Sighting(mark: $0) }
        for retry in report.retries { add(Sighting(retry)) }
    }

    /// Takes over what a test that flaked says of its mark.
    private mutating func add(_ flake: Sighting) {
        guard let index = sightings.firstIndex(where: { $0.mark.identity == flake.mark.identity }) else {
            sightings.append(flake)
            return
        }
        sightings[index].add(flake)
        if run.isUnfinished, run.countsMarks {
            // A process that died may have told of the flake and not have come to count it.
            let flakes = sightings[index].tests.reduce(0) { $0 + $1.flakes }
            sightings[index].mark.flakes = max(sightings[index].mark.flakes, flakes)
            sightings[index].mark.runs = max(sightings[index].mark.runs, flakes + sightings[index].mark.failures)
        }
    }

    /// Adds another report of the same run: a shard's.
    mutating func add(_ shard: RunRecord) {
        run.isUnfinished = run.isUnfinished || shard.run.isUnfinished
        run.countsMarks = run.countsMarks && shard.run.countsMarks
        sightings += shard.sightings
    }

    /// How much it tells: of two copies of one report, the later one tells more.
    var weight: Int { sightings.reduce(run.isUnfinished ? 0 : 1) { $0 + $1.mark.runs + $1.tests.count } }
}

extension RunRecord.Sighting {
    fileprivate init(_ retry: FlakyTest) {
        mark = MarkCount(
            file: retry.file ?? "",
            line: retry.line ?? 0,
            module: retry.module,
            reason: retry.reason,
            fixable: retry.fixable,
            maxRetryCount: retry.maxRetriesAllowed
        )
        tests = [FlakedTest(retry)]
    }
}

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
