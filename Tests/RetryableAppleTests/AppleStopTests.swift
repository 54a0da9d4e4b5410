import RetryReport
import Testing

/// Where a test ends that should stop at its first failure, and one that should not.
@Suite("Stopping on Apple's systems", .enabled(if: DoubleRun.isNeeded))
struct AppleStopTests {
    @Test("where nothing can stop it, what fails after the flake follows from it")
    func cannotStop() async throws {
        let run = try await run("CannotStop")
        #expect(run.issues.isEmpty)
        #expect(run.said == ["went on in attempt 1", "went on in attempt 2", "executed 2, failed 0"])
        let failures = run.report.retries.first?.attempts.first?.failures
        #expect(failures?.map(\.isAftermath) == [false, true])
        #expect(run.outcomes == [.recovered])
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
