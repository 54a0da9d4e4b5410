import RetryReport
import Testing

/// Where a test ends that should stop at its first failure, and one that should not.
@Suite("Stopping on Apple's systems", .enabled(if: ThisSystem.needsDouble))
struct AppleStopTests {
    @Test("with continueAfterFailure = false XCTest stops the test at its flake, and tearDown still runs")
    func stops() async throws {
        let run = try await run("stops")
        #expect(run.cases == ["-[Stops test] passed", "-[Stops test$2] passed"])
        #expect(
            said(run) == [
                "torn down", "in the section of attempt 2", "after the section of attempt 2", "torn down",
                "executed 2, failed 0",
            ]
        )
    }

    @Test("one that suspends is stopped by its section, which can throw, and XCTest is told that it goes on")
    func stopsInTask() async throws {
        let run = try await run("stops in a task")
        #expect(run.issues.isEmpty)
        #expect(run.rest.filter { $0.hasPrefix("after") } == ["after the section of attempt 2"])
        #expect(run.report.retries.first?.attempts.first?.failures.map(\.message) == ["failed - the flake"])
    }

    @Test("where nothing can stop it, what fails after the flake follows from it")
    func cannotStop() async throws {
        let run = try await run("cannot stop")
        #expect(run.issues.isEmpty)
        #expect(said(run) == ["went on in attempt 1", "went on in attempt 2", "executed 2, failed 0"])
        let failures = run.report.retries.first?.attempts.first?.failures
        #expect(failures?.map(\.isAftermath) == [false, true])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("one that suspends and fails for real is left to XCTest")
    func failsInTask() async throws {
        let run = try await run("fails in a task", expecting: 1)
        #expect(run.cases == ["-[FailsInTask testWithCompletionHandler:] failed"])
        #expect(said(run).contains("goes on after failures: false"))
    }

    @Test("with continueAfterFailure = true a test that suspends goes on to its end")
    func goesOn() async throws {
        let run = try await run("async")
        #expect(run.cases.count == 2)
        #expect(said(run).contains("reached in attempt 2"))
    }

    @Test("XCTest stops a test at a real failure")
    func stopsOnReal() async throws {
        let run = try await run("stops on real", expecting: 1)
        #expect(run.cases == ["-[StopsOnReal test] failed"])
        #expect(!run.rest.contains("not reached"))
    }

    @Test("a failure of an element, which the run alone hears of, is a flake in a section, and judged once")
    func taps() async throws {
        let run = try await run("taps")
        #expect(run.cases == ["-[Taps test] passed", "-[Taps test$2] passed"])
        #expect(said(run).prefix(2) == ["in the section of attempt 1", "after the section of attempt 1"])
        let attempts = run.report.retries.first?.attempts
        #expect(attempts?.first?.failures.map(\.message) == ["Failed to tap: no matches found"])
        #expect(attempts?.map(\.outcome) == [.flaked, .passed])
    }

    @Test("XCTest may stop a test at such a failure although it is suppressed, and it is retried all the same")
    func tapsAndStops() async throws {
        let run = try await run("taps and stops")
        #expect(run.cases == ["-[TapsAndStops test] passed", "-[TapsAndStops test$2] passed"])
        #expect(said(run).first == "in the section of attempt 2")
    }

    @Test("such a failure is real outside of sections")
    func tapsOutside() async throws {
        let run = try await run("taps outside", expecting: 1)
        #expect(run.cases == ["-[TapsOutside test] failed"])
        #expect(run.report.retries.isEmpty)
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

    /// What the tests themselves said, and the totals.
    private func said(_ run: DoubleRun) -> [String] {
        run.rest.filter { !$0.hasPrefix("suite") }
    }
}
