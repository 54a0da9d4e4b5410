import Foundation
import RetryReport

/// One run of the tests in a history; encoded as JSON.
struct HistoryRun: Encodable {
    let id: String
    let startedAt: Date
    /// Whether a process of it has not ended.
    fileprivate(set) var unfinished: Bool
    let commit: String?
    let branch: String?
}

/// The identity of a mark over many runs. It has no line, because lines shift with each change of the file.
struct MarkKey: Hashable {
    /// From the root of the repository, as in the merged reports of several packages.
    var file: String
    var reason: String
}

/// The part of a report that a history keeps. It is small, because there may be thousands of reports.
struct RunRecord {
    private(set) var run: HistoryRun
    private(set) var parts: Report.Run.Parts
    private(set) var marks: [MarkKey: Mark] = [:]

    /// A mark in one run; several of one file and reason are one.
    struct Mark {
        /// The counts, with the line of the first of these marks.
        private(set) var count: MarkCount
        /// The tests that flaked because of it.
        private(set) var tests: [TestRecord] = []

        var hasFlaked: Bool { count.flakes + count.failures > 0 || !tests.isEmpty }
        fileprivate var weight: (Int, Int) { (count.flakes + count.failures + tests.count, count.attempts) }

        fileprivate mutating func add(_ other: Mark) {
            count.add(other.count)
            tests += other.tests
        }

        fileprivate func adding(testsOf other: Mark) -> Mark {
            var mark = self
            mark.tests += other.tests.filter { test in
                !tests.contains {
                    $0.name == test.name && $0.module == test.module
                        && $0.attempts.map(\.startedAt) == test.attempts.map(\.startedAt)
                }
            }
            return mark
        }
    }

    /// `nil` if `report` was merged from no report, or does not count marks, because version 0.6.0 wrote it.
    init?(_ report: Report) {
        guard let run = report.run, let marks = report.marks else { return nil }
        parts = run.parts
        self.run = HistoryRun(
            id: run.id,
            startedAt: run.startedAt,
            unfinished: run.finishedAt == nil,
            commit: run.origin.commit,
            branch: run.origin.branch
        )
        let flaked = report.tests.map { test in
            // The file is empty and the line 0 where the report does not name them.
            var count = MarkCount(test.mark, file: test.file ?? "", line: test.line ?? 0, module: test.module)
            count.owners = test.owners
            return Mark(count: count, tests: [test])
        }
        for mark in marks.map({ Mark(count: $0) }) + flaked {
            add(mark, MarkKey(file: run.origin.rooted(mark.count.file), reason: mark.count.mark.reason))
        }
    }

    private mutating func add(_ mark: Mark, _ key: MarkKey) {
        if marks[key]?.add(mark) == nil { marks[key] = mark }
    }

    /// One record for each run, in the order in which they began: shards with one id are put together, copies dropped. Reports
    /// of one commit that share a part are one run, some of whose shards ran again.
    static func joined(_ records: [RunRecord]) -> [RunRecord] {
        let runs = Dictionary(grouping: records, by: \.run.id).values.map { reports in
            // Of two reports that began at the same moment, one is an older copy if the other has all that it has.
            let shards = reports.sorted { ($0.run.startedAt, $1.size) < ($1.run.startedAt, $0.size) }
                .reduce(into: [RunRecord]()) { shards, report in
                    if !shards.contains(where: { $0.contains(report) }) { shards.append(report) }
                }
            return shards.dropFirst().reduce(into: shards[0]) { run, shard in
                run.run.unfinished = run.run.unfinished || shard.run.unfinished
                for (key, mark) in shard.marks { run.add(mark, key) }
            }
        }
        func sorted(_ runs: [RunRecord]) -> [RunRecord] {
            runs.sorted { ($0.run.startedAt, $0.run.id) < ($1.run.startedAt, $1.run.id) }
        }
        // One that is merged of reports which are all there says nothing new.
        let alone = Set(runs.map(\.parts.identities).filter { $0.count == 1 }.joined())
        let others = runs.filter { $0.parts.identities.count == 1 || !$0.parts.identities.isSubset(of: alone) }
        // So that only runs of one commit are compared pairwise.
        let ofOneCommit = Dictionary(grouping: others, by: \.run.commit).values
        return sorted(ofOneCommit.flatMap { sorted($0).reduce(into: [], addOrOverlay) })
    }

    private static func addOrOverlay(_ all: inout [RunRecord], _ run: RunRecord) {
        let same = all.indices.filter { all[$0].parts.isRerun(of: run.parts) }
        guard let first = same.first else { return all.append(run) }
        all[first].overlay(run)
        for index in same.dropFirst().reversed() {
            let other = all.remove(at: index)
            all[first].overlay(other)
        }
    }

    /// Adds what another report of the same run knows better. What both have counts once.
    private mutating func overlay(_ other: RunRecord) {
        run.unfinished = run.unfinished || other.run.unfinished
        parts.formUnion(other.parts)
        marks.merge(other.marks) { one, other in
            let (more, less) = one.weight < other.weight ? (other, one) : (one, other)
            return more.adding(testsOf: less)
        }
    }

    private func contains(_ other: RunRecord) -> Bool {
        let counts: [KeyPath<MarkCount, Int>] = [\.attempts, \.flakes, \.failures]
        return run.startedAt == other.run.startedAt
            && other.marks.allSatisfy { key, mark in
                counts.allSatisfy { marks[key]?.count[keyPath: $0] ?? -1 >= mark.count[keyPath: $0] }
            }
    }

    /// A measure of its content: of two copies of one report, the later one has more.
    private var size: Int { marks.values.reduce(run.unfinished ? 0 : 1) { $0 + $1.count.attempts + $1.tests.count } }
}

extension ReportReader {
    /// Reads the runs of all reports of `input`, in no order; those of unknown origin are of tests in `folder`.
    func records(of input: ReportInput, in folder: String? = nil) throws -> [RunRecord] {
        var records: [RunRecord] = []
        var uncounted = 0
        try read(input) { file, report in
            var report = report
            if report.run?.origin == .unknown { report.run?.origin.folder = folder }
            if let record = RunRecord(owned(report)) { return records.append(record) }
            if report.isOfNoRun {
                return context.log("left out \(file.name), which was merged from no report")
            }
            uncounted += 1
            context.log("left out \(file.name), which does not count marks: an older version wrote it")
        }
        if records.isEmpty, uncounted > 0 { throw Problem("no report counts marks") }
        return records
    }
}
