import Foundation
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
