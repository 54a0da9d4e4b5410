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
    /// The tests that were skipped, or of which the output does not tell whether they passed or were skipped.
    var unprovenTests: Set<String> { tests.ended.subtracting(ranTests) }

    /// The outcomes of the tests that passed, failed or flaked, and of the one that did not end.
    var testOutcomes: [String: RepetitionOutcome] {
        let (bad, failed) = (badTests, Set(tests.failures.map(\.test)))
        var outcomes: [String: RepetitionOutcome] = [:]
        for test in tests.ran.union(tests.onlyListed).union(bad) where tests.ended.contains(test) {
            outcomes[test] = failed.contains(test) ? .failed : bad.contains(test) ? .flaked : .passed
        }
        if let crash = tests.crash { outcomes[crash.test] = .died }
        return outcomes
    }

    /// Judges it by some of its tests alone.
    mutating func judge(by tests: Set<String>) {
        let isBad = !tests.isDisjoint(with: badTests)
        if isBad != self.isBad { outcome = isBad ? .failed : .passed }
        unmarkedFailures.removeAll { !tests.contains($0.test) }
    }
}
