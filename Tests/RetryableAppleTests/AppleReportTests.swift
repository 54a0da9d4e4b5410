import Foundation
import RetryReport
import Testing

/// What is said of a run beside its tests.
@Suite("What is said on Apple's systems", .enabled(if: ThisSystem.needsDouble))
struct AppleReportTests {
    @Test("what a step does when it is retried is an activity, and stands in the report")
    func steps() async throws {
        let run = try await run("steps")
        #expect(run.activities.contains { $0.contains("[NEW RETRY ACTION: 1] Sign In") })
        #expect(run.report.steps.map(\.retries) == [1])
        #expect(run.report.steps.map(\.test) == ["-[Steps test]"])
        #expect(run.cases == ["-[Steps test] passed"])
    }

    @Test("the summary is written once, whenever Retryable began to listen", arguments: [[], ["--bundle-first"]])
    func summary(options: [String]) async throws {
        let run = try await run("recovers", options: options)
        #expect(run.outcome.errorOutput.count == 3)
        #expect(run.outcome.errorOutput.first == "Retryable: 1 flaky")
        #expect(run.report.run?.finishedAt != nil)
    }

    @Test("a run without a flake says nothing of itself")
    func silence() async throws {
        let run = try await run("warns")
        #expect(run.outcome.errorOutput.isEmpty)
        #expect(run.activities.isEmpty)
        #expect(run.report.run?.finishedAt != nil)
    }

    @Test("in strict mode a section fails as if it were not marked")
    func strict() async throws {
        let run = try await run("recovers", expecting: 1, environment: ["RETRYABLE_MODE": "strict"])
        #expect(run.cases == ["-[Recovers testFlakes] failed", "-[Recovers testPasses] passed"])
    }
}
