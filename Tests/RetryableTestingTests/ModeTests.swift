import RetryReport
import Testing

@Suite("Run modes in Swift Testing")
struct ModeTests {
    @Test("strict: sections fail as if they were not marked", arguments: ["Sections/flakesOnce", "Errors/leaves"])
    func strict(test: String) async throws {
        let run = try await SwiftTestingRun.of(test, environment: ["RETRYABLE_MODE": "strict"])
        #expect(run.ending == .failure)
        #expect(run.reasons.isEmpty)
        #expect(run.failures.count == 1)
        #expect(run.report.retries.isEmpty)
        #expect(run.report.run?.mode == "strict")
        #expect(run.ourLines == ["Retryable: RETRYABLE_MODE=strict: 1 failure in flaky sections not retried"])
    }

    @Test("after so many flakes, failures are no longer suppressed")
    func limit() async throws {
        let run = try await SwiftTestingRun.of("EightFlakes", environment: ["RETRYABLE_MAX_FLAKES": "5"])
        #expect(run.ending == .failure)
        #expect(run.reasons.count == 5)
        #expect(run.failures.count == 3)
        #expect(run.report.retries.count == 5)
        #expect(run.ourLines.contains { $0.contains("RETRYABLE_MAX_FLAKES=5: the limit was reached, 3 failures") })
    }

    @Test("a test that recovered can fail its run all the same")
    func failOnFlaky() async throws {
        let run = try await SwiftTestingRun.of("Sections/flakesOnce", environment: ["RETRYABLE_FAIL_ON_FLAKY": "1"])
        #expect(run.ending == .failure)
        #expect(
            run.failures == [
                "Issue recorded: recovered on retry 1, which RETRYABLE_FAIL_ON_FLAKY=1 counts as failed: a race"
            ]
        )
        #expect(run.issues.last?.line == 6)
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("a retry waits as long as it is asked to")
    func delay() async throws {
        let run = try await SwiftTestingRun.of("Sections/nested", environment: ["RETRYABLE_RETRY_DELAY": "0.3"])
        #expect(run.ending == .success)
        let starts = try #require(run.report.retries.first).attempts.map(\.startedAt)
        for (one, next) in zip(starts, starts.dropFirst()) { #expect(next.timeIntervalSince(one) >= 0.3) }
        #expect(starts.count == 3)
        #expect(run.ourLines.contains { $0.contains("RETRYABLE_RETRY_DELAY=0.3") })
    }

    @Test("where a crash cannot be survived, a line says what becomes of it")
    func supervision() async throws {
        let run = try await SwiftTestingRun.of("Sections/flakesOnce", environment: ["RETRYABLE_SUPERVISE": "1"])
        #expect(run.ending == .success)
        let line =
            "RETRYABLE_SUPERVISE changes nothing here: a crash ends the process, and the report says what was pending"
        #expect(run.ourLines.first == "Retryable: \(line)")
    }

    @Test(
        "a mistake in the environment ends the process before any test",
        arguments: [
            ("RETRYABLE_MODE", "Strict", "RETRYABLE_MODE is \"Strict\"; allowed: retry, strict."),
            ("RETRYABLE_REPORT", "/dev/null/report.json", "/dev/null"),
        ]
    )
    func mistake(variable: String, value: String, message: String) async throws {
        let run = try await SwiftTestingRun.of("Instances", environment: [variable: value])
        #expect(run.ending == .exitCode(2))
        #expect(run.printed.isEmpty)
        #expect(run.ourLines.count == 1)
        #expect(run.ourLines.first?.contains(message) == true)
        #expect(run.ourLines.first?.hasSuffix("No test was run.") == true)
    }
}
