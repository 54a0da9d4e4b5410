import Foundation
import RetryReport
import Testing

/// The Apple side of a retry, run for real against the double of Apple's XCTest.
@Suite("On Apple's systems, as far as the double knows them", .serialized, .enabled(if: ThisSystem.needsDouble))
struct AppleRunTests {
    @Test("a flake is left out of the result, shown as expected, retried when all else has run, and recovers")
    func recovers() async throws {
        let run = try await run("recovers")
        #expect(
            run.cases == [
                "-[Recovers testFlakes] expected failure", "-[Recovers testPasses] passed",
                "-[Recovers testFlakes] passed",
            ]
        )
        #expect(run.issues.isEmpty)
        #expect(run.expectedFailures.count == 1)
        #expect(
            run.expectedFailures.first?.contains("too early; reason: a race (fixable); retry 1 of 1 follows") == true
        )
        #expect(
            run.rest == [
                "suite All tests begins", "suite Recovers begins", "went on in attempt 1", "suite Recovers ends",
                "suite Retries begins", "suite Recovers begins", "went on in attempt 2", "suite Recovers ends",
                "suite Retries ends", "suite All tests ends", "executed 3, failed 0",
            ]
        )
    }

    @Test("the report has the five keys, the attempts and the outcome")
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
        #expect(run.activities.count == 2)
        #expect(run.activities.allSatisfy { $0.contains("reason: always (not fixable)") })
        #expect(run.attachments.count == 2)
        #expect(run.attachments.first?.hasPrefix("flake.txt, keepAlways: test: -[Exhausted test]⏎attempt: 1⏎") == true)
    }

    @Test("a test whose section always fails is retried as often as its mark allows, and fails the run")
    func exhausted() async throws {
        let run = try await run("exhausted", expecting: 1)
        #expect(
            run.cases == [
                "-[Exhausted test] expected failure", "-[Exhausted test] expected failure", "-[Exhausted test] failed",
            ]
        )
        #expect(run.issues.count == 1)
        #expect(run.issues.first?.hasSuffix("failed - attempt 3") == true)
        #expect(run.outcome.output.last == "executed 3, failed 1")
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .flaked, .failed])
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
        #expect(run.cases.count == 1)
        #expect(run.report.retries.count == flaked)
        #expect(run.report.retries.allSatisfy { $0.outcome == .failed })
    }

    @Test("with continueAfterFailure = false XCTest stops the test at its flake, and tearDown still runs")
    func stops() async throws {
        let run = try await run("stops")
        #expect(run.cases == ["-[Stops test] expected failure", "-[Stops test] passed"])
        #expect(
            run.rest.filter { !$0.hasPrefix("suite") } == [
                "torn down", "in the section of attempt 2", "after the section of attempt 2", "torn down",
                "executed 2, failed 0",
            ]
        )
    }

    @Test("where XCTest cannot stop it, the section that can throw does, and its error is no failure")
    func stopsInTask() async throws {
        let run = try await run("stops in a task")
        #expect(run.issues.isEmpty)
        #expect(run.rest.filter { $0.hasPrefix("after") } == ["after the section of attempt 2"])
        #expect(run.report.retries.first?.attempts.first?.failures.map(\.message) == ["failed - the flake"])
    }

    @Test("and it stops it at a real failure")
    func stopsOnReal() async throws {
        let run = try await run("stops on real", expecting: 1)
        #expect(run.cases == ["-[StopsOnReal test] failed"])
        #expect(!run.rest.contains("not reached"))
    }

    @Test("a section that XCTest's exception left is not taken for one of the next test")
    func afterStop() async throws {
        let run = try await run("after a stop", expecting: 1)
        #expect(run.issues.count == 1)
        #expect(run.issues.first?.hasSuffix("failed - outside any section") == true)
        #expect(
            run.report.retries.map(\.name) == ["-[AfterStop testFlakes]", "-[AfterStop testIsCalled]", "-[Stops test]"]
        )
        #expect(run.report.retries.allSatisfy { $0.outcome == .recovered })
    }

    @Test(
        "tests that suspend or throw are made again by their selectors, and reported by their names",
        arguments: [
            ("async", "Async"), ("throws", "Throws"), ("unwraps", "Unwraps"),
        ]
    )
    func selectors(scenario: String, testClass: String) async throws {
        let run = try await run(scenario)
        #expect(run.cases.count == 2)
        #expect(run.report.retries.map(\.name) == ["-[\(testClass) test]"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.report.retries.first?.attempts.first?.failures.count == 1)
    }

    @Test("an equal error thrown outside is real")
    func throwsOutside() async throws {
        let run = try await run("throws outside", expecting: 1)
        #expect(run.cases == ["-[ThrowsOutside testAndReturnError:] failed"])
        #expect(run.report.retries.isEmpty)
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
        #expect(run.report.retries.isEmpty)
    }

    @Test("two classes are retried after both have run, between the fixtures of each, in rounds")
    func twoClasses() async throws {
        let run = try await run("two classes")
        let suite = { (name: String) in
            ["suite \(name) begins", "\(name) set up", "\(name) torn down", "suite \(name) ends"]
        }
        #expect(
            run.rest == ["suite All tests begins"] + suite("First") + suite("Second") + ["suite Retries begins"]
                + suite("First") + suite("Second") + suite("First")
                + ["suite Retries ends", "suite All tests ends", "executed 7, failed 0"]
        )
        #expect(run.report.retries.map(\.name) == ["-[First test1]", "-[First test2]", "-[Second test2]"])
    }

    @Test("hundreds of rounds are a loop, never suites in suites")
    func manyRounds() async throws {
        let run = try await run("many rounds")
        #expect(run.report.retries.map(\.attemptedRetries) == [500])
        #expect(run.rest.suffix(4).dropLast(2) == ["suite ManyRounds ends", "suite Retries ends"])
    }

    @Test("a retry that skips has not passed")
    func skips() async throws {
        let run = try await run("skips", expecting: 1)
        #expect(run.cases == ["-[Skips testAndReturnError:] expected failure", "-[Skips testAndReturnError:] failed"])
        #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .skipped])
    }

    @Test("a retry that does not run its test has not passed")
    func retryNotInvoked() async throws {
        let run = try await run("retry not invoked", expecting: 1)
        #expect(run.cases == ["-[RetryNotInvoked test] expected failure", "-[RetryNotInvoked test] failed"])
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("what a test runs by hand is never retried, and nothing is retried while a test runs")
    func byHand() async throws {
        let run = try await run("by hand")
        #expect(run.rest.contains("by hand: 1, 1 failures"))
        #expect(
            run.cases == [
                "-[ByHand testFlakes] expected failure", "-[Exhausted test] failed", "-[Exhausted test] failed",
                "-[ByHand testRuns] passed", "-[ByHand testFlakes] passed",
            ]
        )
        #expect(run.report.retries.map(\.name) == ["-[ByHand testFlakes]"])
    }

    @Test("a flake in tearDown shows as well as any other")
    func tearDown() async throws {
        let run = try await run("in tearDown")
        #expect(run.cases == ["-[InTearDown test] expected failure", "-[InTearDown test] passed"])
    }

    @Test("a failure that the test expects is none, and hides no flake")
    func expectedFailure() async throws {
        #expect(try await run("expects a failure").cases == ["-[ExpectsFailure test] expected failure"])
        let run = try await run("flakes and expects a failure", expecting: 1)
        #expect(run.issues.first?.hasSuffix("failed - inside") == true)
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }
}
