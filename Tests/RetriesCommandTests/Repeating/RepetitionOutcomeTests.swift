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
        var output = ""
        var expected: RepetitionOutcome
    }

    private static let cases = """
        ✘ Test pays(n:) recorded an issue with 1 argument n → 1 at A.swift:3:9: late
        ✘ Test pays(n:) recorded an issue with 1 argument n → 1 at A.swift:4:9: late
        ✘ Test pays(n:) recorded an issue with 1 argument n → 2 at A.swift:3:9: late

        """
    private static let runFailure = "✘ Test run with 1 test in 1 suite failed after 0.1 seconds with 1 issue.\n"
    private static let death = "libswiftCore.error: Process '/shop/a b.xctest' exited with unexpected signal code 4\n"
    /// Tests that ended, and lines that only look like those of tests that did not.
    private static let fine = """
        [1/1] Testing M.A/lists
        Test case 'A.inXcode()' passed on 'My Mac - M (1)' (0.001 seconds)
        ◇ Test run started.
        ◇ Test pays(n:) started.
        ◇ Test case passing 1 argument n → 1 to pays(n:) started.
        ◇ Test case passing 1 argument n → "a\\n✘ Test run with 1 test failed after 1" to pays(n:) started.
        ◇ Test case passing 1 argument n → "error: Exited with unexpected signal code 4" to pays(n:) started.
        ✔ Test pays(n:) with 1 test case passed after 0.1 seconds.
        ◇ Test "is skipped: with care, passed after" started.
        ✔ Test "is skipped: with care, passed after" passed after 0.1 seconds.
        ◇ Test "long" (aka 'long()') started.
        ...✔ Test "long" (aka 'long()') passed after 0.1 seconds.
        ✔ Test run with 3 tests in 0 suites passed after 0.1 seconds.
        """

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
            // Each case of a test may have flaked, and none of another one.
            Row(ending: .exitCode(1), flakes: 2, mode: "strict", output: cases, expected: .flaked),
            Row(ending: .exitCode(1), flakes: 2, mode: "strict", failures: 1, output: cases, expected: .failed),
            Row(
                ending: .exitCode(1),
                flakes: 1,
                outcome: .recovered,
                failsOnFlaky: true,
                failures: 1,
                expected: .failed
            ),
            Row(
                ending: .exitCode(1),
                flakes: 1,
                outcome: .recovered,
                failsOnFlaky: true,
                output: "✘ Test «unknown» recorded an issue at A.swift:3:9: late",
                expected: .failed
            ),
            Row(ending: .signal(11), expected: .died),
            Row(ending: .exitCode(1), isUnfinished: true, expected: .died),
            Row(ending: .exitCode(0), flakes: 1, outcome: .pending, isUnfinished: true, expected: .died),
            // Behind a pipe, the code is that of another command.
            Row(ending: .exitCode(0), output: "Test Case 'A.b' started at 9:30\nFatal error: c\n", expected: .died),
            Row(ending: .exitCode(0), output: "◇ Test b() started.\n", expected: .died),
            // A process may crash before its first test, and SwiftPM's line stand behind one without an end.
            Row(ending: .exitCode(1), flakes: 1, mode: "strict", output: death, expected: .failed),
            Row(
                ending: .exitCode(1),
                flakes: 1,
                outcome: .recovered,
                failsOnFlaky: true,
                output: death,
                expected: .failed
            ),
            Row(ending: .exitCode(0), output: death, expected: .failed),
            Row(ending: .exitCode(0), output: "✘ Suite A recorded an issue: late\n\(runFailure)", expected: .failed),
            Row(ending: .exitCode(0), output: "09:30:07 \(runFailure)", expected: .failed),
            Row(
                ending: .exitCode(0),
                output: "tests-1  | ✘ Test b() recorded an issue at A.swift:3:9: late",
                expected: .failed
            ),
            Row(ending: .exitCode(0), output: "[test] ◇ Test b() started.\n", expected: .died),
            Row(ending: .exitCode(0), output: "INFO ✅ Test server started.\n", expected: .passed),
            Row(ending: .exitCode(0), output: "\u{1B}[91m✘\u{1B}[0m \(runFailure.dropFirst(2))", expected: .failed),
            Row(ending: .exitCode(0), flakes: 1, mode: "strict", output: runFailure, expected: .flaked),
            Row(ending: .exitCode(0), output: "Retryable: the run has failed\n", expected: .failed),
            Row(ending: .exitCode(0), flakes: 1, outcome: .failed, expected: .failed),
            Row(ending: .exitCode(0), output: "\t Executed 1 test, with 1 failure (0 unexpected)", expected: .failed),
            Row(
                ending: .exitCode(0),
                output: "\t Executed 2 tests, with 1 test skipped and 1 failure (0 unexpected)",
                expected: .failed
            ),
            Row(ending: .exitCode(0), output: "\t Executed 10 tests, with 0 failures", expected: .passed),
            Row(ending: .exitCode(0), output: "error: Exited with unexpected signal code 4", expected: .failed),
            Row(ending: .exitCode(0), output: fine, expected: .passed),
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
        let tests = TestOutput(Array((lines.joined() + row.output).utf8))
        #expect(RepetitionOutcome(row.ending, report, tests) == row.expected)
    }

    @Test(
        "a run shows how each of its tests ended, as far as a mark or another test's crash does not explain it",
        arguments: ["a()", "Cart/a()", "Cart/`3/4`/a()"]
    )
    func testOutcomes(nameInReport: String) {
        func outcomes(_ output: String, _ report: Report = Report()) -> [String: RepetitionOutcome] {
            let tests = TestOutput(Array(output.utf8))
            let outcome = RepetitionOutcome(.exitCode(1), report, tests)
            return Repetition(
                number: 1,
                ending: .exitCode(1),
                outcome: outcome,
                report: report,
                tests: tests,
                output: [],
                unmarkedFailures: outcome == .flaked ? [] : tests.unmarkedFailures(report)
            ).testOutcomes
        }
        func test(_ name: String, _ end: String?) -> String {
            "◇ Test \(name) started.\n" + (end.map { "✔ Test \(name) \($0) after 0.1 seconds.\n" } ?? "")
        }
        func failure(_ name: String) -> String { "✘ Test \(name) recorded an issue at A.swift:3:9: late\n" }
        #expect(outcomes(test("a()", "passed") + test("b()", nil)) == ["a()": .passed, "b()": .died])
        #expect(outcomes(test("a()", nil) + test("b()", nil) + test("c()", "passed")) == ["c()": .passed])
        let leftBehind = "Thread 0 crashed:\n\n  1 0x1 closure #1 in A.a() + 1 in x\n"
        #expect(outcomes(test("A/a()", "passed") + test("b()", nil) + leftBehind) == ["A/a()": .died])
        #expect(outcomes(test("a()", nil) + failure("a()") + test("b()", nil)) == ["a()": .failed])

        // The failure of a run in which one test ended is that test's, unless others were about to run.
        let xctest = """
            Test Suite 'A' started at 9:30
            Test Case 'A.b' started at 9:30
            Test Case 'A.b' passed (0.1 seconds)

            """
        let suiteEnd = "Test Suite 'A' passed at 9:30\n"
        let swiftTesting = "◇ Test run started.\n"
        let runEnd = "✔ Test run with 0 tests in 0 suites passed after 0.1 seconds.\n"
        let testing = swiftTesting + runEnd
        for output in [xctest, xctest + suiteEnd, xctest + suiteEnd + testing, xctest + Self.death + testing] {
            #expect(outcomes(output) == ["A.b": .failed])
        }
        // With Swift Build, each target has a process of Swift Testing.
        let cut = swiftTesting + Self.death + testing
        for rest in ["Test Suite 'B' started at 9:30\n", swiftTesting, Self.death, cut] {
            #expect(outcomes(xctest + suiteEnd + rest) == ["A.b": .passed])
        }
        // Each framework has its process.
        let xctestDies = "Test Case 'A.c' started at 9:30\n" + Self.death
        let bothDie = xctestDies + swiftTesting + test("Cart/b()", nil) + Self.death
        #expect(outcomes(bothDie) == ["A.c": .died, "Cart/b()": .died])
        for name in ["a()", "\"is fine\""] {
            #expect(outcomes(swiftTesting + test(name, "passed")) == [name: .failed])
        }

        // With RETRYABLE_FAIL_ON_FLAKY, what recovered fails its run.
        var report = Sample.run(1, [Sample.mark("late", flakes: 1)])
        report.tests = [Sample.flaked("late", in: 1)]
        report.tests[0].name = nameInReport
        let known = Failure(message: "late", file: "Tests/A.swift", line: 3, kind: .assertion)
        report.tests[0].attempts = [
            AttemptRecord(number: 1, outcome: .flaked, startedAt: Sample.now, duration: 0, failures: [known])
        ]
        report.run?.settings = ["RETRYABLE_FAIL_ON_FLAKY": "1"]
        #expect(outcomes(failure("a()") + test("a()", "failed"), report) == ["a()": .flaked])
        // An error that ended an attempt has no place.
        let message = "recovered on retry 1, which RETRYABLE_FAIL_ON_FLAKY=1 counts as failed: late"
        let elsewhere = failure("a()").replacing("A.swift:3:9: late", with: "A.swift:30:9: \(message)")
        #expect(outcomes(elsewhere + test("a()", "failed"), report) == ["a()": .flaked])
        report.tests[0].outcome = .failed
        #expect(outcomes(failure("a()") + test("a()", "failed"), report) == ["a()": .failed])
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
