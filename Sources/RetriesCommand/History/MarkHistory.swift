import Foundation
import Groundwork
import RetryReport

/// A mark over the runs of a history.
struct MarkHistory {
    /// The mark as it stands in the newest run that entered it.
    private(set) var newest: MarkCount
    private(set) var evidence = Evidence()
    /// For each run whether it flaked in it; `nil` where the run did not enter it.
    private(set) var flaked: [Bool?] = []
    /// The beginnings of the first and the last run that entered it.
    private(set) var firstSeen, lastSeen: Date?
    private(set) var lastFlake: LastFlake?
    private(set) var change: MarkChange?
    /// The tests that flaked because of it, the most expensive first.
    private(set) var tests: [TestFlakes] = []
    private(set) var verdict = Verdict.new
    /// The reason for the verdict.
    private(set) var why = ""

    struct LastFlake: Encodable {
        var at: Date?
        /// `nil` where the run's mode allowed no flake, so that no test was retried.
        var test: String?
        var module: String?
        var message: String?
        var place: String?
    }

    init(_ mark: MarkCount) {
        newest = mark
    }

    /// The time that retries because of it took.
    var seconds: Double { tests.reduce(0) { $0 + $1.seconds } }

    /// The loads of the machine at its flakes, where they were measured.
    var loads: [MachineLoad] { tests.flatMap(\.loads) }

    /// Adds a run. Runs are added in their order.
    mutating func add(_ mark: RunRecord.Mark, of run: History.Run, number: Int) {
        newest = mark.count
        firstSeen = firstSeen ?? run.startedAt
        lastSeen = run.startedAt ?? lastSeen
        flaked += Array(repeating: nil, count: number - flaked.count) + [mark.hasFlaked]
        if mark.hasFlaked {
            let last = mark.tests.max { $0.startedAt ?? .distantPast < $1.startedAt ?? .distantPast }
            lastFlake = LastFlake(
                at: last?.startedAt ?? run.startedAt,
                test: last?.name,
                module: last?.module,
                message: last?.message,
                place: last?.place
            )
        }
        mark.tests.forEach { add($0) }
        evidence.add(mark)
    }

    private mutating func add(_ test: TestFlakes) {
        if let index = tests.firstIndex(where: { $0.name == test.name && $0.module == test.module }) {
            tests[index].flakes += test.flakes
            tests[index].seconds += test.seconds
            tests[index].loads += test.loads
        } else {
            tests.append(test)
        }
    }

    /// This history with its verdict, once all runs have been added.
    func judged(after runs: [History.Run], staleAfter: Int) -> MarkHistory {
        var mark = self
        // The most expensive first, then by name.
        mark.tests.sort { ($0.seconds, $1.fullName) > ($1.seconds, $0.fullName) }
        mark.verdict = flaked.count == runs.count ? Verdict(evidence, staleAfter: staleAfter) : .removed
        mark.why = mark.verdict.reason(evidence, staleAfter: staleAfter)
        mark.flaked += Array(repeating: nil, count: runs.count - flaked.count)
        if mark.verdict != .removed { mark.change = MarkChange(mark.flaked, in: runs) }
        return mark
    }

    /// A text such as `3 of the last 20`; `nil` if fewer than twice as many runs entered it, or if none flaked.
    var recent: String? {
        let count = 20
        guard evidence.runs >= 2 * count, evidence.flakedRuns > 0 else { return nil }
        let flakes = flaked.lazy.reversed().compactMap(\.self).prefix(count).count { $0 }
        return "\(flakes == 0 ? "none" : "\(flakes)") of the last \(count)"
    }
}

extension MarkHistory: Located {
    var file: String? { newest.file.isEmpty ? nil : newest.file }
    var line: Int? { newest.line == 0 ? nil : newest.line }

    /// The place as the beginning of a line: `Tests/Login.swift:12: `; empty if it is not known.
    var placePrefix: String { place.map { "\($0): " } ?? "" }
}

/// The flakes of one test because of one mark, in one run or in several.
struct TestFlakes: Encodable {
    var name: String
    var module: String?
    /// The beginning of the test, its last flake's message and its place, in the one run.
    var startedAt: Date?
    var message: String?
    var place: String?
    /// The failures that the section held, without those that only followed from them.
    var held: [Failure]
    /// The number of attempts that flaked.
    var flakes: Int
    /// The time that its retries took.
    var seconds: Double
    var loads: [MachineLoad]

    private enum CodingKeys: CodingKey {
        case name, module, flakes, seconds
    }

    init(_ test: FlakyTest) {
        let flaked = test.attempts.filter { $0.outcome == .flaked }
        let failure = flaked.last?.mainFailure
        name = test.name
        module = test.module
        startedAt = test.attempts.first?.startedAt
        message = failure?.displayMessage
        place = failure?.place
        held = flaked.flatMap(\.failures).filter { !$0.isAftermath }
        flakes = max(1, flaked.count)
        loads = flaked.compactMap(\.machine)
        seconds = test.timeLost
    }

    var fullName: String { TestName.full(name, module: module) }
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
