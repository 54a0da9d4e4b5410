import Foundation
import Groundwork
import RetryReport

/// Each mark's flakes over many runs; encoded as JSON.
struct History: Encodable {
    let schemaVersion = 1
    /// The runs in the order in which they began.
    let runs: [Run]
    /// The marks, the most urgent first.
    let marks: [MarkHistory]
    /// Marks that flake together, the largest group first.
    let groups: [MarkGroup]
    /// The number of runs without a flake after which a mark can go.
    let staleAfter: Int

    private enum CodingKeys: String, CodingKey {
        case schemaVersion, runs, marks, groups
        case staleAfter = "stale"
    }

    struct Run: Encodable {
        let id: String
        let startedAt: Date
        /// `true` if a process of it has not ended.
        fileprivate(set) var unfinished: Bool
        let commit: String?
        let branch: String?
    }

    init(_ records: [RunRecord], staleAfter: Int = Verdict.staleAfter) {
        self.staleAfter = staleAfter
        let records = RunRecord.joined(records)
        let runs = records.map(\.run)
        var entries: [MarkKey: [MarkHistory.Entry]] = [:]
        for (number, record) in records.enumerated() {
            for (key, mark) in record.marks { entries[key, default: []].append((number, mark)) }
        }
        let marks = entries.values.map { MarkHistory($0, of: runs, staleAfter: staleAfter) }.sorted { a, b in
            (a.verdict, b.evidence.rate, a.newest.identity) < (b.verdict, a.evidence.rate, b.newest.identity)
        }
        (self.runs, self.marks) = (runs, marks)
        // Marks that were removed need no cause.
        let flaked = marks.map { $0.verdict == .removed ? runs.map { _ in nil } : $0.flaked }
        groups = FlakeGroup.groups(of: flaked).map { MarkGroup($0, of: marks) }
    }

    /// Marks that belong together, with a title, and what they have in common.
    typealias Section = (title: String, facts: [String], marks: [MarkHistory])

    /// All marks: defects first, then those in groups, then those that changed, then the rest.
    var sections: [Section] {
        let grouped = groups.reduce(into: Set()) { $0.formUnion($1.places) }
        let single = marks.indices.filter { !grouped.contains($0) }.map { marks[$0] }
        let sound = single.filter { $0.verdict != .broken }
        let changed = sound.filter { $0.change != nil }
        let rest = sound.filter { $0.change == nil }
        var sections: [Section] = [("Broken", [], single.filter { $0.verdict == .broken })]
        for group in groups {
            let title = group.sentence.prefix(1).uppercased() + group.sentence.dropFirst()
            sections.append((title, group.common, group.marks))
        }
        sections.append(("Changed", ["Marks that flake clearly more or less often than before"], changed))
        sections.append((rest.count == marks.count ? "Marks" : "Other marks", [], rest))
        return sections.filter { !$0.marks.isEmpty }
    }
}

/// The identity of a mark over many runs. Lines are no part of it, because they shift with each change of the file.
struct MarkKey: Hashable {
    var file: String
    var reason: String
}

/// The part of a report that a history keeps. It is small, because there may be thousands of reports.
struct RunRecord {
    private(set) var run: History.Run
    private(set) var marks: [MarkKey: Mark] = [:]

    /// A mark in one run; several of one file and reason are one.
    struct Mark {
        /// The counts, with the line of the first of these marks.
        private(set) var count: MarkCount
        /// The tests that flaked because of it.
        private(set) var tests: [FlakyTest] = []

        var hasFlaked: Bool { count.flakes + count.failures > 0 || !tests.isEmpty }

        fileprivate mutating func add(_ other: Mark) {
            count.add(other.count)
            tests += other.tests
        }
    }

    /// `nil` if `report` does not count marks, because version 0.6.0 wrote it.
    init?(_ report: Report) {
        guard let run = report.run, let marks = report.marks else { return nil }
        self.run = History.Run(
            id: run.id,
            startedAt: run.startedAt,
            unfinished: run.finishedAt == nil,
            commit: run.origin.commit,
            branch: run.origin.branch
        )
        for count in marks { add(Mark(count: count)) }
        for test in report.retries { add(Mark(test)) }
    }

    private mutating func add(_ mark: Mark) {
        let key = MarkKey(file: mark.count.file, reason: mark.count.reason)
        if marks[key]?.add(mark) == nil { marks[key] = mark }
    }

    /// One record for each run, in the order in which they began: shards with one id are put together, copies dropped.
    static func joined(_ records: [RunRecord]) -> [RunRecord] {
        let runs = Dictionary(grouping: records, by: \.run.id).values.map { reports in
            // Reports that began at the same moment are copies; the one with the most content counts.
            let shards = Dictionary(grouping: reports, by: \.run.startedAt).values
                .compactMap { $0.max { $0.size < $1.size } }.sorted { $0.run.startedAt < $1.run.startedAt }
            return shards.dropFirst().reduce(into: shards[0]) { run, shard in
                run.run.unfinished = run.run.unfinished || shard.run.unfinished
                for mark in shard.marks.values { run.add(mark) }
            }
        }
        return runs.sorted { ($0.run.startedAt, $0.run.id) < ($1.run.startedAt, $1.run.id) }
    }

    /// A measure of its content: of two copies of one report, the later one has more.
    private var size: Int { marks.values.reduce(run.unfinished ? 0 : 1) { $0 + $1.count.runs + $1.tests.count } }
}

extension RunRecord.Mark {
    /// The mark of a test that flaked. The file is empty and the line 0 where the report does not name them.
    fileprivate init(_ test: FlakyTest) {
        count = MarkCount(
            file: test.file ?? "",
            line: test.line ?? 0,
            module: test.module,
            reason: test.reason,
            fixable: test.fixable,
            maxRetryCount: test.maxRetriesAllowed
        )
        tests = [test]
    }
}

extension ReportReader {
    /// The history of the reports that `input` names.
    func history(of input: ReportInput, staleAfter: Int) throws -> History {
        History(try records(of: input), staleAfter: staleAfter)
    }

    /// The runs of the reports that `input` names, in no order.
    func records(of input: ReportInput) throws -> [RunRecord] {
        var records: [RunRecord] = []
        var uncounted = 0
        try read(input) { file, report in
            if let record = RunRecord(report) { return records.append(record) }
            uncounted += 1
            context.log("left out \(file.name), which does not count marks: an older version wrote it")
        }
        if records.isEmpty, uncounted > 0 { throw Problem("no report counts marks") }
        return records
    }
}
