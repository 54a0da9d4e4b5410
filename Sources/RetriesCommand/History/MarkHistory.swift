import Foundation
import RetryReport

/// A mark, and what became of it in the runs that are looked at.
struct MarkHistory {
    /// The mark as the newest run has it that entered it.
    private(set) var newest: MarkCount
    private(set) var evidence = Evidence()
    /// For each run whether it flaked in it; `nil` where the run did not enter it.
    private(set) var flaked: [Bool?] = []
    /// When the first and the last of these runs began; `nil` if none says.
    private(set) var firstSeen: Date?
    private(set) var lastSeen: Date?
    private(set) var lastFlake: LastFlake?
    /// The tests that flaked because of it, those that cost most first.
    private(set) var tests: [FlakedTest] = []
    /// Whether the newest run entered it. One that it did not enter may have been taken away.
    private(set) var isInNewestRun = false
    private(set) var verdict = MarkVerdict.new
    /// The reason for the verdict.
    private(set) var why = ""

    /// When the mark flaked last, and with what.
    struct LastFlake: Encodable {
        var at: Date?
        /// `nil` where the mode of the run allowed no flake, so that no test was retried.
        var test: String?
        var module: String?
        var message: String?
        var place: String?
    }

    init(_ mark: MarkCount) {
        newest = mark
    }

    var seconds: Double { tests.reduce(0) { $0 + $1.seconds } }

    /// Takes over what a run shows; runs are added in their order.
    mutating func add(_ sighting: RunRecord.Sighting, of run: History.Run, number: Int) {
        newest = sighting.mark
        firstSeen = firstSeen ?? run.startedAt
        lastSeen = run.startedAt ?? lastSeen
        flaked += Array(repeating: nil, count: number - flaked.count) + [sighting.hasFlaked]
        if sighting.hasFlaked {
            let last = sighting.tests.max { $0.startedAt ?? .distantPast < $1.startedAt ?? .distantPast }
            lastFlake = LastFlake(
                at: last?.startedAt ?? run.startedAt,
                test: last?.name,
                module: last?.module,
                message: last?.message,
                place: last?.place
            )
        }
        for test in sighting.tests { add(test) }
        evidence.add(sighting)
    }

    private mutating func add(_ test: FlakedTest) {
        // 0.6.0 did not tell a test's module.
        let index = tests.firstIndex { $0.name == test.name && ($0.module == nil || $0.module == test.module) }
        guard let index else { return tests.append(test) }
        tests[index].module = test.module
        tests[index].flakes += test.flakes
        tests[index].seconds += test.seconds
    }

    /// Says what is to be done, once all runs have been added.
    ///
    /// - Parameters:
    ///   - runs: How many there are.
    ///   - newest: Which of them is the newest that counts marks.
    ///   - enough: In how many runs a mark must not have flaked to be one that can go.
    mutating func conclude(runs: Int, newest: Int, enough: Int) {
        tests.sort { ($0.seconds, $1.fullName) > ($1.seconds, $0.fullName) }
        isInNewestRun = flaked.count > newest
        flaked += Array(repeating: nil, count: runs - flaked.count)
        verdict = MarkVerdict(evidence, enough: enough)
        why = verdict.reason(evidence, enough: enough) + (isInNewestRun ? "" : "; the newest run did not enter it")
    }
}

extension MarkHistory: Located {
    var file: String? { newest.file.isEmpty ? nil : newest.file }
    var line: Int? { newest.line == 0 ? nil : newest.line }
}
