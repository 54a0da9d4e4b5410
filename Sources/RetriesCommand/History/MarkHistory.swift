import Foundation
import Groundwork
import RetryReport

/// A mark over the runs of a history.
struct MarkHistory {
    /// The mark as it stands in the newest run that entered it.
    let newest: MarkCount
    let evidence: Evidence
    /// Whether it flaked in each run; `nil` if the run did not enter it.
    let flaked: [Bool?]
    /// The beginnings of the first and the last run that entered it.
    let firstSeen, lastSeen: Date
    let lastFlake: LastFlake?
    let change: MarkChange?
    /// The tests that flaked because of it, the most expensive first.
    let tests: [TestFlakes]
    /// The loads of the machine at its flakes, where they were measured.
    let loads: [MachineLoad]
    let verdict: MarkVerdict
    let why: String
    /// The mark's kind and date.
    let kind: String
    /// The days by which a mark that is still there is overdue; 0 if it is not.
    let daysOverdue: Int

    /// The number of a run that entered it, and the mark in this run.
    typealias Entry = (number: Int, mark: RunRecord.Mark)

    /// - Parameter entries: The runs that entered it, at least one, in their order.
    init(_ entries: [Entry], of runs: [HistoryRun], staleAfter: Int, today: Day?) {
        let (marks, first, last) = (entries.map(\.mark), entries[0], entries[entries.count - 1])
        newest = last.mark.count
        evidence = Evidence(marks)
        var flaked = [Bool?](repeating: nil, count: runs.count)
        for (number, mark) in entries { flaked[number] = mark.hasFlaked }
        self.flaked = flaked
        (firstSeen, lastSeen) = (runs[first.number].startedAt, runs[last.number].startedAt)
        lastFlake = entries.last { $0.mark.hasFlaked }.map { LastFlake($0.mark.tests, in: runs[$0.number]) }
        let records = marks.flatMap(\.tests)
        loads = records.flatMap(\.flakedAttempts).compactMap(\.machine)
        tests = Dictionary(grouping: records, by: \.fullName).values.map(TestFlakes.init)
            .sorted { ($0.seconds, $1.fullName) > ($1.seconds, $0.fullName) }
        verdict = last.number == runs.count - 1 ? MarkVerdict(evidence, staleAfter: staleAfter) : .removed
        why = verdict.reason(evidence, staleAfter: staleAfter)
        change = verdict == .removed ? nil : MarkChange(flaked, in: runs)
        let today = verdict == .removed ? nil : today
        kind = newest.mark.kind(on: today)
        daysOverdue = today.flatMap(newest.mark.daysOverdue) ?? 0
    }

    /// The time that retries because of it took.
    var seconds: Double { tests.reduce(0) { $0 + $1.seconds } }

    /// A text such as `3 of the last 20`; `nil` if fewer than twice as many runs entered it, or if none flaked.
    var recent: String? {
        let count = 20
        guard evidence.runs >= 2 * count, evidence.flakedRuns > 0 else { return nil }
        let flakes = flaked.lazy.reversed().compactMap(\.self).prefix(count).count { $0 }
        return "\(flakes == 0 ? "none" : "\(flakes)") of the last \(count)"
    }
}

extension MarkCount {
    var place: String { file.isEmpty ? "an unknown place" : "\(file):\(line)" }
}

/// The last flake of a mark; encoded as JSON.
struct LastFlake: Encodable {
    var at: Date
    /// `nil` where the run's mode allowed no flake, so that no test was retried.
    var test: String?
    var module: String?
    var message: String?
    var place: String?

    fileprivate init(_ tests: [TestRecord], in run: HistoryRun) {
        func start(_ test: TestRecord) -> Date? { test.attempts.first?.startedAt }
        let last = tests.max { start($0) ?? .distantPast < start($1) ?? .distantPast }
        let failure = last?.flakedAttempts.last?.mainFailure
        at = last.flatMap(start) ?? run.startedAt
        (test, module) = (last?.name, last?.module)
        (message, place) = (failure?.displayMessage, failure?.place)
    }

    var summary: String {
        let message = message.map { ": \($0.cutInTheMiddle(to: 120))" } ?? ", in a run that did not retry"
        return "\(Times.text(at).prefix(10))\(message)"
    }

    var text: String {
        let name = test.map { $0.inModule(module) } ?? "in a run that did not retry"
        let place = place.map { ", at \($0)" } ?? ""
        let message = message.map { ": \($0.cut(to: 200))\(place)" } ?? ""
        return "\(Times.text(at)), \(name)\(message)"
    }
}

/// The flakes of one test because of one mark; encoded as JSON.
struct TestFlakes: Encodable {
    let name: String
    let module: String?
    let flakes: Int
    /// The time that its retries took.
    let seconds: Double

    /// - Parameter records: The records of the test, at least one.
    fileprivate init(_ records: [TestRecord]) {
        (name, module) = (records[0].name, records[0].module)
        // A record of version 0.6.0 has no attempts, and flaked.
        flakes = records.reduce(0) { $0 + max(1, $1.flakedAttempts.count) }
        seconds = records.reduce(0) { $0 + $1.timeLost }
    }

    var fullName: String { name.inModule(module) }

    /// A text such as `4.2 s in ShopTests -[LoginTests testSignsIn], 7 flakes`.
    var cost: String { "\(Durations.text(seconds)) in \(fullName), \(flakes.of("flake"))" }
}

extension TestRecord {
    var flakedAttempts: [AttemptRecord] { attempts.filter { $0.outcome == .flaked } }
}

/// Consecutive runs in the row of blocks that shows a mark over time.
struct TrendBlock: Hashable, Encodable {
    /// The number of these runs that entered the mark.
    var runs = 0
    /// The number of these in which it flaked.
    var flaked = 0

    /// The blocks of all runs, as ``MarkHistory/flaked`` has them. If there are more than `width`, a block is for several.
    static func row(of runs: [Bool?], width: Int) -> [TrendBlock] {
        var blocks = [TrendBlock](repeating: TrendBlock(), count: min(runs.count, width))
        for (index, flaked) in runs.enumerated() {
            guard let flaked else { continue }
            let block = index * blocks.count / runs.count
            blocks[block].runs += 1
            if flaked { blocks[block].flaked += 1 }
        }
        return blocks
    }
}
