import Groundwork
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("How one of many runs ended")
struct RepetitionOutcomeTests {
    struct Row: Sendable {
        var ending: ProcessEnding
        var flakes = 0
        var outcome: TestRecord.Outcome?
        var mode = "retry"
        var failsOnFlaky = false
        var isUnfinished = false
        /// The number of tests that failed, as the output says.
        var failures = 0
        var expected: RepetitionOutcome
    }

    @Test(
        "the outcome of a run follows from how the command ended and what its report says",
        arguments: [
            Row(ending: .exitCode(0), expected: .passed),
            Row(ending: .exitCode(0), flakes: 1, outcome: .recovered, expected: .flaked),
            Row(ending: .exitCode(0), failures: 1, expected: .failed),
            Row(ending: .exitCode(0), flakes: 1, outcome: .recovered, failures: 1, expected: .failed),
            Row(ending: .exitCode(1), expected: .failed),
            Row(ending: .exitCode(1), flakes: 1, outcome: .recovered, expected: .failed),
            Row(ending: .exitCode(1), flakes: 1, outcome: .failed, expected: .failed),
            Row(ending: .exitCode(1), flakes: 1, mode: "strict", expected: .flaked),
            Row(ending: .exitCode(1), mode: "strict", expected: .failed),
            Row(ending: .exitCode(1), flakes: 1, outcome: .recovered, failsOnFlaky: true, expected: .flaked),
            Row(ending: .exitCode(1), flakes: 1, outcome: .failed, failsOnFlaky: true, expected: .failed),
            // A test that failed outside of sections counts for more than the flakes.
            Row(ending: .exitCode(1), flakes: 2, mode: "strict", failures: 2, expected: .flaked),
            Row(ending: .exitCode(1), flakes: 2, mode: "strict", failures: 3, expected: .failed),
            Row(
                ending: .exitCode(1),
                flakes: 1,
                outcome: .recovered,
                failsOnFlaky: true,
                failures: 1,
                expected: .failed
            ),
            Row(ending: .signal(11), expected: .died),
            Row(ending: .exitCode(1), isUnfinished: true, expected: .died),
            Row(ending: .exitCode(0), flakes: 1, outcome: .pending, isUnfinished: true, expected: .died),
        ]
    )
    func outcomes(row: Row) {
        var report = Sample.run(1, [Sample.mark("late", flakes: row.flakes)])
        if let outcome = row.outcome {
            var retry = Sample.flaked("late", in: 1)
            retry.outcome = outcome
            report.tests = [retry]
        }
        report.run?.mode = row.mode
        if row.failsOnFlaky { report.run?.settings = ["RETRYABLE_FAIL_ON_FLAKY": "1"] }
        if row.isUnfinished { report.run?.finishedAt = nil }
        let lines = (0..<row.failures).map { "/shop/A.swift:\($0): error: A.test\($0) : XCTAssertTrue failed - \n" }
        let tests = TestOutput(Array(lines.joined().utf8))
        #expect(RepetitionOutcome(row.ending, report, tests) == row.expected)
    }

    @Test("the progress of many runs is a line for every tenth run where there is no terminal")
    func lines() {
        var progress = RepetitionProgress(total: 20, isTerminal: false)
        let lines = (1...20).map { number in progress.add(number == 5 ? .flaked : .passed, elapsed: Double(number)) }
        #expect(lines.compactMap { $0 }.count == 10)
        #expect(lines[0] == nil)
        #expect(lines[1] == "retries: 2 of 20, 18 s left\n")
        #expect(lines[19] == "retries: 20 of 20, 1 flaked\n")
        #expect(progress.end == "")
        var building = RepetitionProgress(total: 6, isTerminal: false)
        #expect(building.add(.passed, elapsed: 1, beforeBuild: true) == "retries: 1 of 6, and a build to come\n")
    }

    @Test("the progress of many runs is one line on a terminal, which is erased in the end")
    func terminal() {
        var progress = RepetitionProgress(total: 4, isTerminal: true)
        #expect(progress.add(.passed, elapsed: 30) == "\r1 of 4, 1 min 30 s left\u{1B}[K")
        #expect(progress.add(.died, elapsed: 60)?.contains("2 of 4, 1 died, 1 min left") == true)
        #expect(progress.end == "\r\u{1B}[K")
    }
}
