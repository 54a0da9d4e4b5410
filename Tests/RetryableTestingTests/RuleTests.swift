import RetryReport
import Testing

/// What a failure becomes, rule by rule, as the documentation of Retryable numbers them.
@Suite("Rules")
struct RuleTests {
    @Test("inside a section and outside", arguments: Row.outsideAndInside)
    func outsideAndInside(row: Row) async throws { try await check(row) }

    @Test("in tasks, and after a section", arguments: Row.tasks)
    func tasks(row: Row) async throws { try await check(row) }

    @Test("errors", arguments: Row.errors)
    func errors(row: Row) async throws { try await check(row) }

    @Test("skips", arguments: Row.skips)
    func skips(row: Row) async throws { try await check(row) }

    @Test("real failures", arguments: Row.realFailures)
    func realFailures(row: Row) async throws { try await check(row) }

    @Test("bad marks", arguments: Row.marks)
    func marks(row: Row) async throws { try await check(row) }

    private func check(_ row: Row) async throws {
        let run = try await SwiftTestingRun.of(row.test)
        #expect(run.ending == (row.failures.isEmpty ? .success : .failure))
        #expect(run.reasons == row.flakes)
        #expect(run.failures == row.failures)
        #expect(run.report.retries.map(\.outcome) == (row.outcome.map { [$0] } ?? []))
        guard let retry = run.report.retries.first else { return }
        #expect(retry.name.hasPrefix(row.test))
        #expect(retry.module == "TestingScenarios")
        #expect(retry.attempts.map(\.outcome) == row.attempts)
        #expect(retry.attempts.map(\.number) == row.attempts.indices.map { $0 + 1 })
        #expect(retry.attemptedRetries == row.attempts.count - 1)
    }

    @Test("5: flaky throws the very error that its section threw")
    func veryError() async throws {
        let run = try await SwiftTestingRun.of("Errors/leaves")
        #expect(run.printed == ["the very error: true", "reached on attempt 2"])
    }

    @Test("6: a retry of a test that cancelled itself runs in a task that is not cancelled")
    func freshTask() async throws {
        let run = try await SwiftTestingRun.of("Skips/afterFlake")
        #expect(run.printed == ["task of the retry is cancelled: false"])
    }

    @Test("7: #require is one failure in the report, too")
    func requireInReport() async throws {
        let run = try await SwiftTestingRun.of("Errors/require")
        #expect(
            run.report.retries.first?.attempts.first?.failures.map(\.message)
                == ["Expectation failed: retryCount == 0 ? nil : 1 → nil: no value"]
        )
    }

    @Test("8: a flake that is not retried is said on standard error")
    func notRetried() async throws {
        let run = try await SwiftTestingRun.of("RealFailures/afterFlake")
        #expect(run.ourLines.contains { $0.contains("RealFailures/afterFlake()") && $0.contains("not retried") })
        #expect(
            run.report.retries.first?.attempts.first?.failures.map(\.message)
                == ["Issue recorded: inside", "Issue recorded: outside"]
        )
    }

    @Test("10: a bad mark fails at its line")
    func place() async throws {
        let issue = try #require(try await SwiftTestingRun.of("Marks/emptyReason").issues.first)
        #expect(issue.file == "TestingScenarios/Marks.swift")
        #expect(issue.line == 5)
    }

    @Test("no reason can forge a line")
    func hostile() async throws {
        let run = try await SwiftTestingRun.of("Marks/hostile")
        #expect(run.output.count { $0.hasPrefix("✔ Test run with 1 test passed") } == 0)
        let everything = (run.output + run.ourLines).joined()
        #expect(!everything.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(run.report.retries.map(\.reason) == ["a\n✔ Test run with 1 test passed\u{1B}[2J\0\u{2028}"])
    }
}
