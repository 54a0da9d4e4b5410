import RetryReport
import Testing

/// Where a test ends that should stop at its first failure, and one that should not.
@Suite("Stopping on Apple's systems", .enabled(if: DoubleRun.isNeeded))
struct AppleStopTests {
    @Test("with continueAfterFailure = false XCTest stops the test at its flake, and tearDown still runs")
    func stops() async throws {
        let run = try await run("Stops")
        #expect(run.cases == ["-[Stops test] passed", "-[Stops test$2] passed"])
        #expect(
            run.said == [
                "torn down", "in the section of attempt 2", "after the section of attempt 2", "torn down",
                "executed 2, failed 0",
            ]
        )
    }

    @Test("one that suspends is stopped by its section, which can throw, and XCTest does not stop it")
    func stopsInTask() async throws {
        let run = try await run("StopsInTask")
        #expect(run.issues.isEmpty)
        #expect(run.rest.filter { $0.hasPrefix("after") } == ["after the section of attempt 2"])
        #expect(run.report.retries.first?.attempts.first?.failures.map(\.message) == ["failed - the flake"])
    }

    @Test("where nothing can stop it, what fails after the flake follows from it")
    func cannotStop() async throws {
        let run = try await run("CannotStop")
        #expect(run.issues.isEmpty)
        #expect(run.said == ["went on in attempt 1", "went on in attempt 2", "executed 2, failed 0"])
        let failures = run.report.retries.first?.attempts.first?.failures
        #expect(failures?.map(\.isAftermath) == [false, true])
        #expect(run.outcomes == [.recovered])
    }

    @Test("one that suspends and fails for real is left to XCTest")
    func failsInTask() async throws {
        let run = try await run("FailsInTask", expecting: 1)
        #expect(run.cases == ["-[FailsInTask testWithCompletionHandler:] failed"])
        #expect(run.said.contains("goes on after failures: false"))
    }

    @Test("XCTest stops a test at a real failure")
    func stopsOnReal() async throws {
        let run = try await run("StopsOnReal", expecting: 1)
        #expect(run.cases == ["-[StopsOnReal test] failed"])
        #expect(!run.rest.contains("not reached"))
    }

    @Test("a failure of an element, which is recorded in the run alone, is a flake in a section, and judged once")
    func taps() async throws {
        let run = try await run("Taps")
        #expect(run.cases == ["-[Taps test] passed", "-[Taps test$2] passed"])
        #expect(run.said.prefix(2) == ["in the section of attempt 1", "after the section of attempt 1"])
        let attempts = run.report.retries.first?.attempts
        #expect(attempts?.first?.failures.map(\.message) == ["Failed to tap: no matches found"])
        #expect(attempts?.map(\.outcome) == [.flaked, .passed])
    }

    @Test("XCTest may stop a test at such a failure although it is suppressed, and it is retried all the same")
    func tapsAndStops() async throws {
        let run = try await run("TapsAndStops")
        #expect(run.cases == ["-[TapsAndStops test] passed", "-[TapsAndStops test$2] passed"])
        #expect(run.said.first == "in the section of attempt 2")
    }

    @Test("a section that XCTest's exception left is not taken for one of the next test")
    func afterStop() async throws {
        let run = try await run("Stops", "AfterStop", expecting: 1)
        #expect(run.issues.count == 1)
        #expect(run.issues.first?.hasSuffix("failed - outside any section") == true)
        #expect(
            run.report.retries.map(\.name) == ["-[AfterStop testFlakes]", "-[AfterStop testIsCalled]", "-[Stops test]"]
        )
        #expect(run.report.retries.allSatisfy { $0.outcome == .recovered })
    }
}
