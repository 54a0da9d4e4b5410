import Foundation
import RetryReport
import Retryable
import RetryableTesting
import Testing

/// What the environment changes, seen in whole runs.
@Suite("Run modes")
struct ModeTests {
    @Test("strict: every section fails as if it were not marked, and the run says so")
    func strict() async throws {
        let run = try await run(FlakesOnce.self, expecting: .failure, environment: ["RETRYABLE_MODE": "strict"])
        #expect(run.cases == ["FlakesOnce.testFlakes failed", "FlakesOnce.testPasses passed"])
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.hasSuffix("too early") == true)
        #expect(run.report.retries.isEmpty)
        #expect(run.report.run?.mode == "strict")
        #expect(run.errorOutput == ["Retryable: RETRYABLE_MODE=strict: 1 failure in flaky sections not retried"])
    }

    @Test("after RETRYABLE_MAX_FLAKES flakes, the next is a real failure that says so")
    func maxFlakes() async throws {
        let run = try await run(EightFlakesOnce.self, expecting: .failure, environment: ["RETRYABLE_MAX_FLAKES": "5"])
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
        let limited = try await run(Passes.self, environment: set)
        #expect(limited.report.run?.settings == set)
        let plain = try await run(
            Passes.self,
            environment: ["RETRYABLE_FAIL_ON_FLAKY": "0", "RETRYABLE_RETRY_DELAY": ""]
        )
        #expect(plain.report.run?.settings == [:])
    }

    @Test("a retry waits for a quiet machine, ten seconds at most, and the look at the flake's moment is in the report")
    func quiet() async throws {
        let run = try await run(FlakesOnce.self, environment: ["RETRYABLE_RETRY_DELAY": ""])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.report.retries.first?.attempts.map { $0.machine != nil } == [true, false])
        let testing = try await SwiftTestingRun.of("Sections/flakesOnce", environment: ["RETRYABLE_RETRY_DELAY": ""])
        #expect(testing.report.retries.map(\.outcome) == [.recovered])
        #expect(testing.report.retries.first?.attempts.map { $0.machine != nil } == [true, false])
        // Beside the other tests, the machine may never be quiet; a look on a busy one takes time, too.
        let waits = (run.errorOutput + testing.ourLines).compactMap { $0.firstMatch(of: #/ waited ([\d.]+) s/#)?.1 }
        #expect(waits.compactMap { Double($0) }.allSatisfy { $0 < 20 }, "\(waits)")
    }

    @Test("a limit of 0 retries nothing")
    func noFlakes() async throws {
        let run = try await run(FlakesOnce.self, expecting: .failure, environment: ["RETRYABLE_MAX_FLAKES": "0"])
        #expect(run.cases.first == "FlakesOnce.testFlakes failed")
        #expect(run.report.retries.isEmpty)
    }

    @Test("RETRYABLE_FAIL_ON_FLAKY: a test that recovered fails the run all the same, and is reported as recovered")
    func failOnFlaky() async throws {
        let run = try await run(FlakesOnce.self, expecting: .failure, environment: ["RETRYABLE_FAIL_ON_FLAKY": "1"])
        #expect(run.cases.last == "FlakesOnce.testFlakes failed")
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains("RETRYABLE_FAIL_ON_FLAKY=1") == true)
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.errorOutput.contains { $0.hasPrefix("Retryable: RETRYABLE_FAIL_ON_FLAKY=1: 1 test recovered") })
    }

    @Test("RETRYABLE_FAIL_ON_FLAKY changes nothing where nothing flaked")
    func failOnFlakyPasses() async throws {
        let run = try await run(Passes.self, environment: ["RETRYABLE_FAIL_ON_FLAKY": "1"])
        #expect(run.errorOutput.isEmpty)
    }

    @Test("RETRYABLE_RETRY_DELAY waits before each round")
    func delay() async throws {
        let run = try await run(FlakesOnce.self, environment: ["RETRYABLE_RETRY_DELAY": "0.2"])
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
        let run = try await run(Passes.self, expecting: .exitCode(2), environment: [variable: value])
        #expect(run.cases.isEmpty)
        #expect(run.output.isEmpty)
        #expect(run.errorOutput.count == 1)
        #expect(run.errorOutput.first?.hasPrefix("Retryable: \(variable) is \"\(value)\"; allowed: \(allowed)") == true)
    }

    @Test("an unknown variable is warned of, and changes nothing")
    func unknown() async throws {
        let run = try await run(Passes.self, environment: ["RETRYABLE_MODES": "strict"])
        #expect(
            run.errorOutput == [
                "Retryable: RETRYABLE_MODES is not a variable of Retryable; did you mean RETRYABLE_MODE?"
            ]
        )
    }
}

@Suite("Run modes in Swift Testing")
struct SwiftTestingModeTests {
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
        #expect(run.issues.last?.line == flakesOnceLine)
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

// MARK: - Programs

enum EightFlakesOnce: Program {
    static var entries: [XCTestCaseEntry] { [(Passes.self, (1...8).map { ("test\($0)", flake) })] }

    private static func flake(_ test: XCTestCase) {
        guard let test = test as? RetryableTestCase else { return }
        test.flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(test.retryCount, 0, "a flake") }
    }
}

// MARK: - Swift Testing

#if PROGRAM
    @Suite(.retryable) struct EightFlakes {
        @Test(arguments: 1...8) func flakes(number: Int) {
            flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0) }
        }
    }
#endif
