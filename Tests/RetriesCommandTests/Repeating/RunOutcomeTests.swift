import Groundwork
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("How one of many runs ended")
struct RunOutcomeTests {
    struct Row: Sendable {
        var ending: ProcessEnding
        var flakes = 0
        var outcome: FlakyTest.Outcome?
        var mode = "retry"
        var failsOnFlaky = false
        var isUnfinished = false
        var expected: RunOutcome
    }

    @Test(
        "follows from how the command ended and what its report says",
        arguments: [
            Row(ending: .exitCode(0), expected: .passed),
            Row(ending: .exitCode(0), flakes: 1, outcome: .recovered, expected: .flaked),
            Row(ending: .exitCode(1), expected: .failed),
            Row(ending: .exitCode(1), flakes: 1, outcome: .recovered, expected: .failed),
            Row(ending: .exitCode(1), flakes: 1, outcome: .failed, expected: .failed),
            Row(ending: .exitCode(1), flakes: 1, mode: "strict", expected: .flaked),
            Row(ending: .exitCode(1), mode: "strict", expected: .failed),
            Row(ending: .exitCode(1), flakes: 1, outcome: .recovered, failsOnFlaky: true, expected: .flaked),
            Row(ending: .exitCode(1), flakes: 1, outcome: .failed, failsOnFlaky: true, expected: .failed),
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
            report.retries = [retry]
        }
        report.run?.mode = row.mode
        if row.failsOnFlaky { report.run?.settings = ["RETRYABLE_FAIL_ON_FLAKY": "1"] }
        if row.isUnfinished { report.run?.finishedAt = nil }
        #expect(RunOutcome(row.ending, report) == row.expected)
    }

    @Test("shows as a line for every tenth run where there is no terminal")
    func lines() {
        var progress = Progress(total: 20, isTerminal: false)
        let lines = (1...20).map { number in progress.add(number == 5 ? .flaked : .passed, elapsed: Double(number)) }
        #expect(lines.compactMap { $0 }.count == 10)
        #expect(lines[0] == nil)
        #expect(lines[1] == "retries: 2 of 20, 18 s left\n")
        #expect(lines[19] == "retries: 20 of 20, 1 flaked\n")
        #expect(progress.end == "")
    }

    @Test("shows as one line on a terminal, which goes away in the end")
    func terminal() {
        var progress = Progress(total: 4, isTerminal: true)
        #expect(progress.add(.passed, elapsed: 30) == "\r1 of 4, 1 min 30 s left\u{1B}[K")
        #expect(progress.add(.died, elapsed: 60)?.contains("2 of 4, 1 died, 1 min left") == true)
        #expect(progress.end == "\r\u{1B}[K")
    }
}
