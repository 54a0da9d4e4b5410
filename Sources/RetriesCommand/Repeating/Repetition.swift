import Groundwork
import RetryReport

/// One run of a command that is run many times, and what it left.
struct Repetition {
    let number: Int
    let ending: ProcessEnding
    private(set) var outcome: RepetitionOutcome
    /// A report without retries if the command left none.
    let report: Report
    let tests: TestOutput
    let output: [UInt8]
    /// The failures outside of sections, which the report does not have.
    private(set) var unmarkedFailures: [TestOutput.TestFailure]

    var isBad: Bool { outcome != .passed }
    /// The tests that failed, flaked, or began and did not end.
    var badTests: Set<String> { tests.bad(report) }
    /// The tests that passed, failed or flaked.
    var ranTests: Set<String> { tests.ran.union(badTests) }
    /// The tests that were skipped, that had a case cancelled, or of which the output does not tell whether they passed or were
    /// skipped.
    var unprovenTests: Set<String> { tests.ended.subtracting(tests.ran).union(tests.cancelled).subtracting(badTests) }

    /// The outcomes of the tests that passed, failed or flaked, and of those that are known to have crashed. If only one ran, a
    /// failure of the run is its failure, unless others were about to run.
    var testOutcomes: [String: RepetitionOutcome] {
        // With a setting, a test that flaked and recovered fails its run, and its output.
        let unmarked = unmarkedFailures.filter { !$0.isCrash }.map(\.test)
        let failed = Set(unmarked + report.tests.filter { $0.outcome == .failed }.map(tests.nameHere(of:)))
        let bad = badTests
        var outcomes: [String: RepetitionOutcome] = [:]
        for test in tests.ran.union(tests.onlyListed).union(bad) where tests.ended.union(failed).contains(test) {
            outcomes[test] = failed.contains(test) ? .failed : bad.contains(test) ? .flaked : .passed
        }
        for crash in tests.crashes where tests.began.contains(crash.test) { outcomes[crash.test] = .died }
        let isOnly = outcomes.count == 1 && tests.crashes.isEmpty && !tests.hasEndedBeforeTests
        if isOnly, outcome.isFailure, let only = outcomes.first?.key {
            outcomes[only] = outcome
        }
        return outcomes
    }

    /// Whether nothing went wrong in it, as far as it came.
    var showsOnlyThatItWasEnded: Bool {
        report.tests.isEmpty && tests.unmarkedFailures(report).isEmpty && badTests.isSubset(of: tests.open)
    }

    /// Whether it failed or died, and no test is known to be the cause, or none of `tests`.
    func isUnexplained(by tests: Set<String>?) -> Bool {
        outcome.isFailure && !testOutcomes.contains { $1.isFailure && tests?.contains($0) != false }
    }

    /// Whether what failed in it, if anything did, is known to be a test's.
    var isExplained: Bool { !isUnexplained(by: nil) && !tests.hasFailureOfNoTest }

    /// The run as `tests` ended in it; `nil` if it does not show that, such as when another test has ended the process before they
    /// began, or when something failed that is no test's.
    func judged(by tests: Set<String>) -> Repetition? {
        guard !tests.isDisjoint(with: self.tests.began) else { return nil }
        let isBad = testOutcomes.contains { $1 != .passed && tests.contains($0) }
        let haveAllEnded = tests.isSubset(of: self.tests.began.subtracting(self.tests.open))
        guard isBad || isExplained && haveAllEnded else { return nil }
        var run = self
        if isBad != self.isBad { run.outcome = isBad ? .failed : .passed }
        run.unmarkedFailures.removeAll { !tests.contains($0.test) }
        return run
    }
}

/// The outcome of one run of a command that is run many times.
package enum RepetitionOutcome: String, CaseIterable, Encodable, CodingKeyRepresentable {
    case passed
    /// Something flaked, and nothing else went wrong.
    case flaked
    /// The command failed, and the flakes do not explain it.
    case failed
    case died

    fileprivate var isFailure: Bool { self == .failed || self == .died }

    /// - Parameter tests: The tests that the output names, of which the report may lack some that failed.
    init(_ ending: ProcessEnding, _ report: Report, _ tests: TestOutput) {
        let run = report.run
        let flakes = (report.marks ?? []).reduce(0) { $0 + $1.flakes }
        let hasFlaked = !report.tests.isEmpty || flakes > 0
        // In some modes, flakes alone make a run fail. In a strict one, the report has counts only: of each test, or case of a
        // test with arguments, the first failure in a section.
        let isFlakesOnly =
            run?.mode == "strict"
            ? tests.failedCount <= flakes
            : report.failsOnFlaky && report.tests.allSatisfy { $0.outcome == .recovered }
                && tests.unmarkedFailures(report).isEmpty && !tests.hasFailureOfNoTest
        // Behind a pipe, the code may be that of another command.
        let isFine =
            ending == .exitCode(0) && !tests.hasFailed && !report.tests.contains { $0.outcome == .failed }
            && tests.unmarkedFailures(report).isEmpty
        switch ending {
        case .signal: self = .died
        case .exitCode where run != nil && run?.finishedAt == nil: self = .died
        case .exitCode(0) where !tests.crashes.isEmpty: self = .died
        case .exitCode where tests.isCutOff: self = .died
        case .exitCode where isFine: self = hasFlaked ? .flaked : .passed
        case .exitCode: self = hasFlaked && isFlakesOnly && !tests.hasCrashed ? .flaked : .failed
        }
    }

    /// The totals, such as `190 passed, 7 flaked`, of all outcomes or of some.
    static func text(_ counts: [RepetitionOutcome: Int], _ outcomes: [RepetitionOutcome] = allCases) -> String {
        outcomes.map { "\(counts[$0, default: 0]) \($0)" }.joined(separator: ", ")
    }
}
