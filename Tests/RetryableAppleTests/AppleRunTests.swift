import Foundation
import RetryReport
import Testing

/// The Apple side of a retry, run for real against the double of Apple's XCTest.
@Suite("On Apple's systems, as far as the double knows them", .enabled(if: DoubleRun.isNeeded))
struct AppleRunTests {
    /// A class with one test, and what becomes of a failure of it.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var testClass: String
        /// How each attempt ended.
        var attempts: [String]
        /// The test's outcome in the report; `nil` if it is not there.
        var outcome: TestRecord.Outcome?
        /// A part of the only issue in the result; `nil` if there is none.
        var issue: String?
        /// What the test itself says; not compared if `nil`.
        var said: [String]?

        init(
            _ testDescription: String,
            _ testClass: String,
            _ attempts: [String],
            _ outcome: TestRecord.Outcome?,
            _ issue: String? = nil,
            said: [String]? = nil
        ) {
            (self.testDescription, self.testClass, self.attempts) = (testDescription, testClass, attempts)
            (self.outcome, self.issue, self.said) = (outcome, issue, said)
        }
    }

    private static let retried = ["test] passed", "test$2] passed"]
    private static let inAttempt2 = ["in the section of attempt 2", "after the section of attempt 2"]

    static let rows = [
        Row("on another queue, while the section waits", "OnAQueue", retried, .recovered),
        Row("in tearDown", "InTearDown", retried, .recovered),
        Row("an error", "Throws", ["testAndReturnError:] passed", "test$2] passed"], .recovered),
        Row("an error of XCTUnwrap", "Unwraps", ["testAndReturnError:] passed", "test$2] passed"], .recovered),
        Row("a task's error", "Async", ["testWithCompletionHandler:] passed", "test$2] passed"], .recovered),
        Row("outside", "FailsOutside", ["test] failed"], nil, "failed - outside"),
        Row("outside, after a flake", "FlakesThenFails", ["test] failed"], .failed, "failed - outside"),
        Row("an equal error outside", "ThrowsOutside", ["testAndReturnError:] failed"], nil, "Boom"),
        Row("an element's, outside", "TapsOutside", ["test] failed"], nil, "Failed to tap: no matches found"),
        Row(
            "an error that was recorded before the retry",
            "SharesUnwrap",
            ["testAndReturnError:] passed", "test$2] failed"],
            .failed,
            "recorded elsewhere"
        ),
        Row(
            "no more, as the retry does not run its test",
            "RetryNotInvoked",
            ["test] passed", "test$2] failed"],
            .failed,
            "the retry did not run the test to its end"
        ),
        Row("expected", "ExpectsFailure", ["test] expected failure"], nil),
        Row("expected in a section", "ExpectsFailureInSection", ["test] expected failure"], nil),
        Row(
            "expected after a flake",
            "FlakesAndExpects",
            ["test] expected failure", "test$2] expected failure"],
            .recovered
        ),

        // Where continueAfterFailure is false.
        Row("which XCTest stops", "Stops", retried, .recovered, said: ["torn down"] + inAttempt2 + ["torn down"]),
        Row(
            "which suspends, and which its section stops",
            "StopsInTask",
            ["testWithCompletionHandler:] passed", "test$2] passed"],
            .recovered,
            said: ["after the section of attempt 2"]
        ),
        Row("an element's, which XCTest stops", "TapsAndStops", retried, .recovered, said: inAttempt2),
        Row(
            "outside, in a test that suspends",
            "FailsInTask",
            ["testWithCompletionHandler:] failed"],
            nil,
            "failed - outside",
            said: ["goes on after failures: false"]
        ),
        Row("outside, which XCTest stops", "StopsOnReal", ["test] failed"], nil, "failed - outside", said: []),
    ]

    #if compiler(>=6.3)  // which comes with the XCTest that knows of warnings
        private static let warnings = [Row("a warning", "Warns", ["test] passed"], nil, "slow")]
    #else
        private static let warnings: [Row] = []
    #endif

    @Test(
        "a flake is retried under a name of its own, whatever fails; all else is left to XCTest",
        arguments: rows + warnings
    )
    func failure(row: Row) async throws {
        let hasFailed = row.attempts.last?.hasSuffix("failed") == true
        let run = try await run(row.testClass, expecting: hasFailed ? 1 : 0)
        #expect(run.cases == row.attempts.map { "-[\(row.testClass) \($0)" })
        #expect(run.issues.count == (row.issue == nil ? 0 : 1))
        #expect(run.issues.allSatisfy { $0.contains(row.issue ?? "") })
        #expect(run.attachedToIssues.isEmpty)
        #expect(run.activities.contains { $0.contains("flaked at") } == (row.attempts.count > 1))
        if let said = row.said { #expect(run.said.dropLast() == said[...]) }
        #expect(run.outcomes == (row.outcome.map { [$0] } ?? []))
        #expect(run.report.tests.allSatisfy { $0.name == "-[\(row.testClass) test]" })
        if row.outcome == .recovered { #expect(run.report.tests.first?.attempts.first?.failures.count == 1) }
    }

    @Test("a flake is left out of the result, retried under a name of its own when all else has run, and recovers")
    func recovers() async throws {
        let run = try await run("Recovers")
        #expect(
            run.cases == [
                "-[Recovers testFlakes] passed", "-[Recovers testPasses] passed", "-[Recovers testFlakes$2] passed",
            ]
        )
        #expect(run.issues.isEmpty)
        #expect(run.expectedFailures.isEmpty)
        #expect(
            run.rest == [
                "suite All tests begins", "suite Recovers begins", "went on in attempt 1", "suite Recovers ends",
                "suite Retries begins", "suite Recovers begins", "went on in attempt 2", "suite Recovers ends",
                "suite Retries ends", "suite All tests ends", "executed 3, failed 0",
            ]
        )
    }

    @Test(
        "a test whose section always fails is retried as often as its mark allows, and fails the run",
        arguments: [([], 1), (["--repeat-failures"], 3)]
    )
    func exhausted(options: [String], repetitions: Int) async throws {
        let run = try await run("Exhausted", expecting: 1, options: options)
        #expect(
            run.cases == ["-[Exhausted test] passed", "-[Exhausted test$2] passed"]
                + Array(repeating: "-[Exhausted test$3] failed", count: repetitions)
        )
        #expect(run.issues.count == repetitions)
        #expect(run.issues.allSatisfy { $0.hasSuffix("failed - attempt 3") })
        #expect(run.dropped.isEmpty)
        #expect(run.attachedToIssues.isEmpty)
        #expect(run.outcome.output.last == "executed \(2 + repetitions), failed \(repetitions)")
        #expect(run.outcomes == [.failed])
        #expect(run.report.tests.first?.attempts.prefix(3).map(\.outcome) == [.flaked, .flaked, .failed])
    }

    @Test("an error that flaked explains expectations that were not waited for; nothing else does")
    func unwaited() async throws {
        let run = try await run("Unwaited", expecting: 1)
        #expect(
            run.report.tests.map(\.name) == [
                "-[Unwaited testCut]", "-[Unwaited testNotCut]", "-[Unwaited testUnwrap]",
            ]
        )
        #expect(run.outcomes == [.recovered, .failed, .recovered])
        #expect(run.issues.count == 1)
        #expect(run.issues.first?.contains("forgotten") == true)
    }

    @Test("two classes are retried each between its own fixtures, in rounds, after everything else")
    func twoClasses() async throws {
        let run = try await run("First", "Second")
        let rounds = ["First", "Second", "First", "Second", "First"].map { name in
            ["suite \(name) begins", "\(name) set up", "\(name) torn down", "suite \(name) ends"]
        }
        var expected = ["suite All tests begins"] + rounds[..<2].joined() + ["suite Retries begins"]
        expected += rounds[2...].joined() + ["suite Retries ends", "suite All tests ends", "executed 7, failed 0"]
        #expect(run.rest == expected)
        #expect(run.report.tests.map(\.name) == ["-[First test1]", "-[First test2]", "-[Second test2]"])
        #expect(
            run.cases.suffix(4).map { $0.prefix { $0 != "]" } } == [
                "-[First test1$2", "-[First test2$2", "-[Second test2$2", "-[First test1$3",
            ]
        )
    }

    @Test("hundreds of rounds are a loop, never suites in suites")
    func manyRounds() async throws {
        let run = try await run("ManyRounds")
        #expect(run.report.tests.map(\.attemptedRetries) == [200])
        #expect(run.rest.count { $0 == "suite Retries begins" } == 1)
        #expect(run.cases.last == "-[ManyRounds test$201] passed")
        #expect(run.attachments.count { $0.hasPrefix(ReportLocation.fileName) } < 100)
    }

    @Test("a retry that skips has not passed")
    func skips() async throws {
        let run = try await run("Skips", expecting: 1)
        #expect(run.cases == ["-[Skips testAndReturnError:] passed", "-[Skips test$2] failed"])
        #expect(run.report.tests.first?.attempts.map(\.outcome) == [.flaked, .skipped])
    }

    @Test("what a test runs by hand is never retried, and nothing is retried while a test runs")
    func byHand() async throws {
        let run = try await run("ByHand", expecting: 1)  // Xcode shows what a test runs by hand like any other test
        #expect(run.rest.contains("by hand: 1, 1 failures"))
        #expect(
            run.cases == [
                "-[ByHand testFlakes] passed", "-[Exhausted test] failed", "-[Exhausted test] failed",
                "-[ByHand testRuns] passed", "-[ByHand testFlakes$2] passed",
            ]
        )
        #expect(run.report.tests.map(\.name) == ["-[ByHand testFlakes]"])
    }

    @Test("a failure that the limit refuses in a test that suspends is left to XCTest, which stops the test")
    func refused() async throws {
        let run = try await run("RefusedInTask", expecting: 1, environment: ["RETRYABLE_MAX_FLAKES": "0"])
        #expect(run.cases == ["-[RefusedInTask testWithCompletionHandler:] failed"])
        #expect(run.issues.count == 1)
        #expect(run.said.first == "goes on after failures: false")
    }

    @Test("where nothing can stop it, what fails after the flake follows from it")
    func cannotStop() async throws {
        let run = try await run("CannotStop")
        #expect(run.issues.isEmpty)
        #expect(run.said == ["went on in attempt 1", "went on in attempt 2", "executed 2, failed 0"])
        let failures = run.report.tests.first?.attempts.first?.failures
        #expect(failures?.map(\.isAftermath) == [false, true])
        #expect(run.outcomes == [.recovered])
    }

    @Test("a failure of an element, which is recorded in the run alone, is a flake in a section, and judged once")
    func taps() async throws {
        let run = try await run("Taps")
        #expect(run.cases == ["-[Taps test] passed", "-[Taps test$2] passed"])
        #expect(run.said.prefix(2) == ["in the section of attempt 1", "after the section of attempt 1"])
        let attempts = run.report.tests.first?.attempts
        #expect(attempts?.first?.failures.map(\.message) == ["Failed to tap: no matches found"])
        #expect(attempts?.map(\.outcome) == [.flaked, .passed])
    }

    @Test("a section that XCTest's exception left is not taken for one of the next test")
    func afterStop() async throws {
        let run = try await run("Stops", "AfterStop", expecting: 1)
        #expect(run.issues.count == 1)
        #expect(run.issues.first?.hasSuffix("failed - outside any section") == true)
        #expect(
            run.report.tests.map(\.name) == ["-[AfterStop testFlakes]", "-[AfterStop testIsCalled]", "-[Stops test]"]
        )
        #expect(run.report.tests.allSatisfy { $0.outcome == .recovered })
    }
}
