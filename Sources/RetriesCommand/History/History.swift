import RetryReport

/// Each mark's flakes over many runs; encoded as JSON.
struct History: Encodable {
    let schemaVersion = 1
    /// The runs in the order in which they began.
    let runs: [HistoryRun]
    /// The marks, the longest overdue first, then the most urgent.
    let marks: [MarkHistory]
    /// Marks that flake together, the largest group first.
    let groups: [MarkGroup]
    /// The number of runs without a flake after which a mark can go.
    let staleAfter: Int

    private enum CodingKeys: String, CodingKey {
        case schemaVersion, runs, marks, groups
        case staleAfter = "stale"
    }

    init(_ records: [RunRecord], staleAfter: Int = MarkVerdict.staleAfter, today: Day? = nil) {
        self.staleAfter = staleAfter
        let records = RunRecord.joined(records)
        let runs = records.map(\.run)
        var entries: [MarkKey: [MarkHistory.Entry]] = [:]
        for (number, record) in records.enumerated() {
            for (key, mark) in record.marks { entries[key, default: []].append((number, mark)) }
        }
        let marks = entries.values.map { MarkHistory($0, of: runs, staleAfter: staleAfter, today: today) }
            .sorted { a, b in
                (b.daysOverdue, a.verdict, b.evidence.rate, a.newest.identity)
                    < (a.daysOverdue, b.verdict, a.evidence.rate, b.newest.identity)
            }
        (self.runs, self.marks) = (runs, marks)
        // Marks that were removed need no cause.
        let flaked = marks.map { $0.verdict == .removed ? runs.map { _ in nil } : $0.flaked }
        groups = FlakeCluster.clusters(of: flaked).map { MarkGroup($0, of: marks) }
    }

    /// Marks that belong together, with a title, and the facts that they share.
    typealias MarkList = (title: String, facts: [String], marks: [MarkHistory])

    /// All marks: defects first, then those in groups, then those that changed, then the rest.
    var lists: [MarkList] {
        let grouped = groups.reduce(into: Set()) { $0.formUnion($1.places) }
        let single = marks.indices.filter { !grouped.contains($0) }.map { marks[$0] }
        let sound = single.filter { $0.verdict != .broken }
        let changed = sound.filter { $0.change != nil }
        let rest = sound.filter { $0.change == nil }
        var lists: [MarkList] = [("Broken", [], single.filter { $0.verdict == .broken })]
        for group in groups {
            let title = group.sentence.prefix(1).uppercased() + group.sentence.dropFirst()
            lists.append((title, group.common, group.marks))
        }
        lists.append(("Changed", ["Marks that flake clearly more or less often than before"], changed))
        lists.append((rest.count == marks.count ? "Marks" : "Other marks", [], rest))
        return lists.filter { !$0.marks.isEmpty }
    }
}
