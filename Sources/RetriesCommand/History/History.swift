import Foundation

/// What became of each mark in many runs.
struct History {
    /// In the order in which they began; those that do not say when, because version 0.6.0 did not, come first.
    private(set) var runs: [Run]
    /// Those to look at first come first; those that the newest run did not enter come last.
    private(set) var marks: [MarkHistory]
    /// In how many runs a mark must not have flaked to be one that can go.
    let enough: Int

    struct Run {
        var id: String?
        var startedAt: Date?
        /// Whether a process of it has not ended.
        var isUnfinished: Bool
        /// Whether it says how often each mark was entered.
        var countsMarks: Bool
    }

    init(_ records: [RunRecord], _ texts: MarkTexts, enough: Int = MarkVerdict.enoughRuns) {
        self.enough = enough
        let records = Self.runs(of: records)
        runs = records.map { parts in
            Run(
                id: parts[0].id,
                startedAt: parts[0].startedAt,
                isUnfinished: parts.contains(where: \.isUnfinished),
                countsMarks: parts.allSatisfy(\.countsMarks)
            )
        }
        // A run that does not count marks does not tell which there are.
        let newest = runs.lastIndex(where: \.countsMarks) ?? 0
        var known = KnownMarks(texts)
        for (run, parts) in records.enumerated() {
            known.add(parts.flatMap(\.sightings), of: run, startedAt: parts[0].startedAt)
        }
        marks = known.all.map { mark in
            var mark = mark
            mark.tests.sort { ($0.seconds, $1.fullName) > ($1.seconds, $0.fullName) }
            mark.isInNewestRun = (mark.sightings.last?.run ?? 0) >= newest
            mark.verdict = MarkVerdict(mark.evidence, enough: enough)
            return mark
        }
        marks.sort { first, second in
            if first.isInNewestRun != second.isInNewestRun { return first.isInNewestRun }
            if first.verdict != second.verdict { return first.verdict < second.verdict }
            if first.evidence.rate != second.evidence.rate { return first.evidence.rate > second.evidence.rate }
            return (first.text.file ?? "", first.line ?? 0, first.text.reason)
                < (second.text.file ?? "", second.line ?? 0, second.text.reason)
        }
    }

    /// Puts together the reports that are of one run, because shards were given one id, and drops copies.
    private static func runs(of records: [RunRecord]) -> [[RunRecord]] {
        // Swift's sort is stable, but does not promise it.
        let order = records.indices.sorted { first, second in
            let (a, b) = (records[first].startedAt ?? .distantPast, records[second].startedAt ?? .distantPast)
            return a == b ? first < second : a < b
        }
        var runs: [[RunRecord]] = []
        var places: [String: Int] = [:]
        for record in order.map({ records[$0] }) {
            guard let id = record.id, let place = places[id] else {
                if let id = record.id { places[id] = runs.count }
                runs.append([record])
                continue
            }
            // What began at the same moment is the same report, read sooner or later.
            if let copy = runs[place].firstIndex(where: { $0.startedAt == record.startedAt }) {
                if record.weight > runs[place][copy].weight { runs[place][copy] = record }
            } else {
                runs[place].append(record)
            }
        }
        return runs
    }
}
