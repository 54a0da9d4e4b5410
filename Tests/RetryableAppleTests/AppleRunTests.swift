import Foundation
import RetryReport
import TestSupport
import Testing

/// The Apple side of a retry, run for real against the double of Apple's XCTest.
@Suite("On Apple's systems, as far as the double knows them", .enabled(if: ThisSystem.needsDouble))
struct AppleRunTests {
    @Test("a flake is left out of the result, retried under a name of its own when all else has run, and recovers")
    func recovers() async throws {
        let run = try await run("recovers")
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

    @Test("the report has the five keys, the attempts and the outcome, under the name that the author wrote")
    func report() async throws {
        let retries = try await run("recovers").report.retries
        let retry = try #require(retries.first)
        #expect(retries.count == 1)
        #expect(retry.name == "-[Recovers testFlakes]")
        #expect(retry.module == "Program")
        #expect(retry.maxRetriesAllowed == 1)
        #expect(retry.attemptedRetries == 1)
        #expect(retry.reason == "a race")
        #expect(retry.fixable)
        #expect(retry.outcome == .recovered)
        #expect(retry.attempts.map(\.outcome) == [.flaked, .passed])
        let failure = try #require(retry.attempts.first?.failures.first)
        #expect(failure.message == "failed - too early")
        #expect(failure.file?.hasSuffix("Program/Failures.swift") == true)
        #expect(failure.line == retry.line)
    }

    @Test("each flake has an activity, and an attachment that is kept though the test passes")
    func evidence() async throws {
        let run = try await run("exhausted", expecting: 1)
        let flakes = run.activities.filter { $0.contains("flaked at") }
        #expect(flakes.count == 2)
        #expect(flakes.first?.hasPrefix("-[Exhausted test]: flaked at ") == true)
        #expect(flakes.last?.hasPrefix("-[Exhausted test$2]: flaked at ") == true)
        #expect(flakes.allSatisfy { $0.contains("reason: always (not fixable)") })
        let texts = run.attachments.filter { $0.hasPrefix("flake.txt, keepAlways: ") }
        #expect(texts.count == 2)
        #expect(texts.last?.contains("test: -[Exhausted test]⏎attempt: 2⏎") == true)
    }

    @Test(
        "a test whose section always fails is retried as often as its mark allows, and fails the run",
        arguments: [([], 1), (["--repeat-failures"], 3)]
    )
    func exhausted(options: [String], repetitions: Int) async throws {
        let run = try await run("exhausted", expecting: 1, options: options)
        #expect(
            run.cases == ["-[Exhausted test] passed", "-[Exhausted test$2] passed"]
                + Array(repeating: "-[Exhausted test$3] failed", count: repetitions)
        )
        #expect(run.issues.count == repetitions)
        #expect(run.issues.allSatisfy { $0.hasSuffix("failed - attempt 3") })
        #expect(run.dropped.isEmpty)
        #expect(run.attachedToIssues.isEmpty)
        #expect(run.outcome.output.last == "executed \(2 + repetitions), failed \(repetitions)")
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.first?.attempts.prefix(3).map(\.outcome) == [.flaked, .flaked, .failed])
    }

    @Test(
        "a failure outside a section is real, with or without a flake before it",
        arguments: [
            ("fails outside", 0), ("flakes, then fails", 1),
        ]
    )
    func outside(scenario: String, flaked: Int) async throws {
        let run = try await run(scenario, expecting: 1)
        #expect(run.issues.count == 1)
        #expect(run.issues.first?.hasSuffix("failed - outside") == true)
        #expect(run.attachedToIssues.isEmpty)
        #expect(run.cases.count == 1)
        #expect(run.report.retries.count == flaked)
        #expect(run.report.retries.allSatisfy { $0.outcome == .failed })
    }

    @Test("a failure on another queue belongs to the section that the test waits in")
    func queue() async throws {
        let run = try await run("on a queue")
        #expect(run.cases == ["-[OnAQueue test] passed", "-[OnAQueue test$2] passed"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("an equal error thrown outside is real")
    func throwsOutside() async throws {
        let run = try await run("throws outside", expecting: 1)
        #expect(run.cases == ["-[ThrowsOutside testAndReturnError:] failed"])
        #expect(run.report.retries.isEmpty)
    }

    @Test(
        "tests that suspend or throw are made again by their methods, and reported by their names",
        arguments: [
            ("async", "Async"), ("throws", "Throws"), ("unwraps", "Unwraps"),
        ]
    )
    func selectors(scenario: String, testClass: String) async throws {
        let run = try await run(scenario)
        #expect(run.cases.count == 2)
        #expect(run.cases.last == "-[\(testClass) test$2] passed")
        #expect(run.report.retries.map(\.name) == ["-[\(testClass) test]"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.report.retries.first?.attempts.first?.failures.count == 1)
    }

    @Test("a retry that dies of an error which was recorded before has not passed")
    func sharesUnwrap() async throws {
        let run = try await run("shares unwrap", expecting: 1)
        #expect(run.cases == ["-[SharesUnwrap testAndReturnError:] passed", "-[SharesUnwrap test$2] failed"])
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("an error that flaked explains the expectations nobody waited for; nothing else does")
    func unwaited() async throws {
        let run = try await run("unwaited", expecting: 1)
        #expect(
            run.report.retries.map(\.name) == [
                "-[Unwaited testCut]", "-[Unwaited testNotCut]", "-[Unwaited testUnwrap]",
            ]
        )
        #expect(run.report.retries.map(\.outcome) == [.recovered, .failed, .recovered])
        #expect(run.issues.count == 1)
        #expect(run.issues.first?.contains("forgotten") == true)
    }

    @Test("an issue that is no failure is never a flake")
    func warning() async throws {
        let run = try await run("warns")
        #expect(run.cases == ["-[Warns test] passed"])
        #expect(run.issues.count == 1)
        #expect(run.attachedToIssues.isEmpty)
        #expect(run.report.retries.isEmpty)
    }

    @Test("two classes are retried each between its own fixtures, in rounds, after everything else")
    func twoClasses() async throws {
        let run = try await run("two classes")
        let rounds = ["First", "Second", "First", "Second", "First"].map { name in
            ["suite \(name) begins", "\(name) set up", "\(name) torn down", "suite \(name) ends"]
        }
        var expected = ["suite All tests begins"] + rounds[..<2].joined() + ["suite Retries begins"]
        expected += rounds[2...].joined() + ["suite Retries ends", "suite All tests ends", "executed 7, failed 0"]
        #expect(run.rest == expected)
        #expect(run.report.retries.map(\.name) == ["-[First test1]", "-[First test2]", "-[Second test2]"])
        #expect(
            run.cases.suffix(4).map { $0.prefix { $0 != "]" } } == [
                "-[First test1$2", "-[First test2$2", "-[Second test2$2", "-[First test1$3",
            ]
        )
    }

    @Test("hundreds of rounds are a loop, never suites in suites")
    func manyRounds() async throws {
        let run = try await run("many rounds")
        #expect(run.report.retries.map(\.attemptedRetries) == [500])
        #expect(run.rest.count { $0 == "suite Retries begins" } == 1)
        #expect(run.cases.last == "-[ManyRounds test$501] passed")
        #expect(run.attachments.count { $0.hasPrefix(ReportLocation.fileName) } < 100)
    }

    @Test("a retry that skips has not passed")
    func skips() async throws {
        let run = try await run("skips", expecting: 1)
        #expect(run.cases == ["-[Skips testAndReturnError:] passed", "-[Skips test$2] failed"])
        #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .skipped])
    }

    @Test("a retry that does not run its test has not passed")
    func retryNotInvoked() async throws {
        let run = try await run("retry not invoked", expecting: 1)
        #expect(run.cases == ["-[RetryNotInvoked test] passed", "-[RetryNotInvoked test$2] failed"])
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("what a test runs by hand is never retried, and nothing is retried while a test runs")
    func byHand() async throws {
        let run = try await run("by hand", expecting: 1)  // Xcode shows what a test runs by hand like any other test
        #expect(run.rest.contains("by hand: 1, 1 failures"))
        #expect(
            run.cases == [
                "-[ByHand testFlakes] passed", "-[Exhausted test] failed", "-[Exhausted test] failed",
                "-[ByHand testRuns] passed", "-[ByHand testFlakes$2] passed",
            ]
        )
        #expect(run.report.retries.map(\.name) == ["-[ByHand testFlakes]"])
    }

    @Test("a flake in tearDown shows as well as any other")
    func tearDown() async throws {
        let run = try await run("in tearDown")
        #expect(run.cases == ["-[InTearDown test] passed", "-[InTearDown test$2] passed"])
        #expect(run.activities.contains { $0.contains("reason: slow to stop") })
    }

    @Test("a failure that the test expects is none, wherever it is, and hides no flake")
    func expectedFailure() async throws {
        for scenario in ["expects a failure", "expects a failure in a section"] {
            let run = try await run(scenario)
            #expect(run.cases.count == 1)
            #expect(run.cases.first?.hasSuffix(" expected failure") == true)
            #expect(run.report.retries.isEmpty)
        }
        let run = try await run("flakes and expects a failure")
        #expect(run.cases.map { $0.hasSuffix(" expected failure") } == [true, true])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }
}
