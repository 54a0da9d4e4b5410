import Foundation
import RetryReport
import Retryable
import RetryableTesting
import Testing

/// What the environment changes, seen in whole runs.
@Suite("Run modes")
struct ModeTests: RowTable {
    static var rows: [Row] {
        Row("in strict mode, a failure in a section is real", failures: [.recorded("too early")], environment: strict)
            .both { test in
                test.flaky(.race) { test.failOnce() }
            } expecting: { lines, report in
                #expect(report.run?.mode == "strict")
                #expect(lines == ["Retryable: RETRYABLE_MODE=strict: 1 failure in flaky sections not retried"])
            }
        Row("in strict mode, an error that leaves a section is real", failures: [.thrown("Boom")], environment: strict)
            .both { test in try test.flaky(.race) { try test.throwOnce() } }
        Row(
            "RETRYABLE_MAX_FLAKES=0 retries nothing, and the failure of XCTest says so",
            failures: [
                .init(
                    "failed - too early (in a flaky section, but not retried: RETRYABLE_MAX_FLAKES=0 is reached)",
                    testing: "Issue recorded: too early"
                )
            ],
            environment: ["RETRYABLE_MAX_FLAKES": "0"]
        )
        .both { test in test.flaky(.race) { test.failOnce() } }
        Row(
            "RETRYABLE_RETRY_DELAY delays each retry, and the report has the machine's load at each flake",
            [.flaked("inner"), .flaked("outer"), .passed],
            environment: ["RETRYABLE_RETRY_DELAY": "0.2"]
        )
        .testing("Sections/nested") { run in
            let attempts = run.report.tests.flatMap(\.attempts)
            #expect(
                zip(attempts, attempts.dropFirst()).allSatisfy { $1.startedAt.timeIntervalSince($0.startedAt) >= 0.2 }
            )
            #expect(run.ourLines.contains { $0.hasPrefix("Retryable: RETRYABLE_RETRY_DELAY=0.2: ") })
            #expect(attempts.map { $0.machine != nil } == [true, true, false])
        }
        Row("RETRYABLE_FAIL_ON_FLAKY does nothing where nothing flaked", environment: ["RETRYABLE_FAIL_ON_FLAKY": "1"])
            .xctest(Passes.self) { run in #expect(run.errorOutput.isEmpty) }
        Row("an unknown variable causes a warning and changes nothing", environment: ["RETRYABLE_MODES": "strict"])
            .xctest(Passes.self) { run in
                let line = "RETRYABLE_MODES is not a variable of Retryable; did you mean RETRYABLE_MODE?"
                #expect(run.errorOutput == ["Retryable: \(line)"])
            }
    }

    private static let strict = ["RETRYABLE_MODE": "strict"]

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    @Test("after RETRYABLE_MAX_FLAKES flakes, the next failure in a section is real and says why")
    func maxFlakes() async throws {
        let environment = ["RETRYABLE_MAX_FLAKES": "5"]
        let run = try await run(EightFlakesOnce.self, expecting: .failure, environment: environment)
        #expect(run.report.tests.map(\.outcome) == Array(repeating: .recovered, count: 5))
        #expect(run.errors.count == 3)
        #expect(run.errors.allSatisfy { $0.hasSuffix("not retried: RETRYABLE_MAX_FLAKES=5 is reached)") })
        #expect(run.errorOutput.contains { $0.hasPrefix("Retryable: RETRYABLE_MAX_FLAKES=5: ") })
        let testing = try await SwiftTestingRun.of("EightFlakes", environment: environment)
        #expect(testing.ending == .failure)
        #expect((testing.reasons.count, testing.failures.count, testing.report.tests.count) == (5, 3, 5))
        let line = "RETRYABLE_MAX_FLAKES=5: 3 failures beyond the limit"
        #expect(testing.ourLines.contains { $0.contains(line) })
    }

    @Test("the report has each setting of its run, and a setting that changed nothing is not logged")
    func settings() async throws {
        let set = [
            "RETRYABLE_MAX_FLAKES": "5", "RETRYABLE_RETRY_DELAY": "0.25", "RETRYABLE_FAIL_ON_FLAKY": "1",
        ]
        let withAll = try await run(Passes.self, environment: set)
        #expect(withAll.report.run?.settings == set)
        #expect(withAll.errorOutput.isEmpty)
        let unset = ["RETRYABLE_FAIL_ON_FLAKY": "0", "RETRYABLE_RETRY_DELAY": ""]
        #expect(try await run(Passes.self, environment: unset).report.run?.settings == [:])
    }

    @Test("RETRYABLE_FAIL_ON_FLAKY makes a recovered test fail the run, and the report says that it recovered")
    func failOnFlaky() async throws {
        let environment = ["RETRYABLE_FAIL_ON_FLAKY": "1"]
        let run = try await run(FlakesOnce.self, expecting: .failure, environment: environment)
        #expect(run.cases.last == "FlakesOnce.testFlakes failed")
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains("RETRYABLE_FAIL_ON_FLAKY=1") == true)
        #expect(run.report.tests.map(\.outcome) == [.recovered])
        #expect(run.errorOutput.contains { $0.hasPrefix("Retryable: RETRYABLE_FAIL_ON_FLAKY=1: 1 test recovered") })
        let testing = try await SwiftTestingRun.of("Sections/flakesOnce", environment: environment)
        #expect(testing.ending == .failure)
        let failure = "recovered on retry 1, which RETRYABLE_FAIL_ON_FLAKY=1 counts as failed: a race"
        #expect(testing.failures == ["Issue recorded: \(failure)"])
        #expect(testing.issues.last?.line == flakesOnceLine)
        #expect(testing.report.tests.map(\.outcome) == [.recovered])
    }

    @Test("a setting with an unknown value ends the run before any test")
    func mistake() async throws {
        let run = try await run(Passes.self, expecting: .exitCode(2), environment: ["RETRYABLE_MODE": "off"])
        #expect(run.output.isEmpty)
        #expect(run.errorOutput.count == 1)
        #expect(run.errorOutput.first?.hasPrefix("Retryable: RETRYABLE_MODE is \"off\"; allowed: ") == true)
    }

    @Test(
        "in Swift Testing, a setting that cannot be followed ends the run before any test",
        arguments: [
            ("RETRYABLE_MODE", "Strict", "RETRYABLE_MODE is \"Strict\"; allowed: retry, strict."),
            ("RETRYABLE_REPORT", "/dev/null/report.json", "/dev/null"),
        ]
    )
    func mistakesInSwiftTesting(variable: String, value: String, message: String) async throws {
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
        test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "a flake") }
    }
}

#if PROGRAM
    @Suite(.retryable) struct EightFlakes {
        @Test(arguments: 1...8) func flakes(number: Int) {
            flaky(.race) { #expect(Test.retryCount > 0) }
        }
    }
#endif
