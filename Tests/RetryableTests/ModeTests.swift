import Foundation
import RetryReport
import Testing

/// What the environment changes, seen in whole runs.
@Suite("Run modes")
struct ModeTests {
    @Test("strict: every section fails as if it were not marked, and the run says so")
    func strict() async throws {
        let run = try await run("flakes once", expecting: .failure, environment: ["RETRYABLE_MODE": "strict"])
        #expect(run.cases == ["FlakesOnce.testFlakes failed", "FlakesOnce.testPasses passed"])
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.hasSuffix("too early") == true)
        #expect(run.report.retries.isEmpty)
        #expect(run.report.run?.mode == "strict")
        #expect(run.errorOutput == ["Retryable: RETRYABLE_MODE=strict: 1 failure in flaky sections not retried"])
    }

    @Test("after RETRYABLE_MAX_FLAKES flakes, the next is a real failure that says so")
    func maxFlakes() async throws {
        let run = try await run("eight flakes", expecting: .failure, environment: ["RETRYABLE_MAX_FLAKES": "5"])
        #expect(run.report.retries.count == 5)
        #expect(run.report.retries.allSatisfy { $0.outcome == .recovered })
        #expect(run.errors.count == 3)
        #expect(run.errors.allSatisfy { $0.hasSuffix("not retried: RETRYABLE_MAX_FLAKES=5 is reached)") })
        #expect(run.errorOutput.contains { $0.hasPrefix("Retryable: RETRYABLE_MAX_FLAKES=5: ") })
    }

    @Test("each mode that is set stands in the report's run, and none that is not")
    func settings() async throws {
        let set = [
            "RETRYABLE_MAX_FLAKES": "5", "RETRYABLE_RETRY_DELAY": "0.25", "RETRYABLE_FAIL_ON_FLAKY": "1",
        ]
        let limited = try await run("passes", environment: set)
        #expect(limited.report.run?.settings == set)
        let plain = try await run("passes", environment: ["RETRYABLE_FAIL_ON_FLAKY": "0"])
        #expect(plain.report.run?.settings == [:])
    }

    @Test("a limit of 0 retries nothing")
    func noFlakes() async throws {
        let run = try await run("flakes once", expecting: .failure, environment: ["RETRYABLE_MAX_FLAKES": "0"])
        #expect(run.cases.first == "FlakesOnce.testFlakes failed")
        #expect(run.report.retries.isEmpty)
    }

    @Test("RETRYABLE_FAIL_ON_FLAKY: a test that recovered fails the run all the same, and is reported as recovered")
    func failOnFlaky() async throws {
        let run = try await run("flakes once", expecting: .failure, environment: ["RETRYABLE_FAIL_ON_FLAKY": "1"])
        #expect(run.cases.last == "FlakesOnce.testFlakes failed")
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains("RETRYABLE_FAIL_ON_FLAKY=1") == true)
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.errorOutput.contains { $0.hasPrefix("Retryable: RETRYABLE_FAIL_ON_FLAKY=1: 1 test recovered") })
    }

    @Test("RETRYABLE_FAIL_ON_FLAKY changes nothing where nothing flaked")
    func failOnFlakyPasses() async throws {
        let run = try await run("passes", environment: ["RETRYABLE_FAIL_ON_FLAKY": "1"])
        #expect(run.errorOutput.isEmpty)
    }

    @Test("RETRYABLE_RETRY_DELAY waits before each round")
    func delay() async throws {
        let run = try await run("flakes once", environment: ["RETRYABLE_RETRY_DELAY": "0.2"])
        let attempts = try #require(run.report.retries.first?.attempts)
        #expect(attempts.count == 2)
        #expect(attempts[1].startedAt.timeIntervalSince(attempts[0].startedAt) >= 0.2)
        #expect(run.errorOutput.contains { $0.hasPrefix("Retryable: RETRYABLE_RETRY_DELAY=0.2: ") })
    }

    @Test(
        "a value that cannot be read ends the run before any test",
        arguments: [
            ("RETRYABLE_MODE", "off", "retry, strict"), ("RETRYABLE_MAX_FLAKES", "lots", "a whole number"),
            ("RETRYABLE_RETRY_DELAY", "soon", "seconds"), ("RETRYABLE_FAIL_ON_FLAKY", "true", "0, 1"),
            ("RETRYABLE_SUPERVISE", "yes", "0, 1"), ("RETRYABLE_TIME_LIMIT", "0", "seconds"),
        ]
    )
    func mistakes(variable: String, value: String, allowed: String) async throws {
        let run = try await run("passes", expecting: .exitCode(2), environment: [variable: value])
        #expect(run.cases.isEmpty)
        #expect(run.output.isEmpty)
        #expect(run.errorOutput.count == 1)
        #expect(run.errorOutput.first?.hasPrefix("Retryable: \(variable) is \"\(value)\"; allowed: \(allowed)") == true)
    }

    @Test("an unknown variable is warned of, and changes nothing")
    func unknown() async throws {
        let run = try await run("passes", environment: ["RETRYABLE_MODES": "strict"])
        #expect(
            run.errorOutput == [
                "Retryable: RETRYABLE_MODES is not a variable of Retryable; did you mean RETRYABLE_MODE?"
            ]
        )
    }
}
