import Foundation
import RetryReport
import Testing

/// What `autoRetry` does, each rule seen in a whole run. The order of calls is compared as a sequence.
@Suite("How a step is retried")
struct StepTests {
    @Test("a step that succeeds at once leaves no trace")
    func atOnce() async throws {
        let run = try await run("step at once")
        #expect(run.printed == ["action", "condition", "retries: 0"])
        #expect(run.errorOutput.isEmpty)
        #expect(run.report.steps.isEmpty)
        #expect(run.report.retries.isEmpty)
    }

    @Test("the reset steps come before each retry, and the condition after each action")
    func retried() async throws {
        let run = try await run("step retried")
        #expect(
            run.printed == [
                "action", "condition", "reset", "action", "condition", "reset", "action", "condition", "retries: 2",
            ]
        )
        #expect(run.cases == ["Passes.test passed"])
    }

    @Test("the log has the reference's lines, flags and symbols")
    func log() async throws {
        let run = try await run("step retried")
        #expect(
            run.errorOutput == [
                "♻️♻️♻️ [RETRY INFO: 0] Launch Attempt Unsuccessful. "
                    + "Number of attempts: 1. Attempts remaining: 3. Retrying.",
                "♻️♻️♻️⏪ [RESET STEPS: 1] Run Reset Steps to Retry action: Launch.",
                "♻️♻️♻️▶️ [NEW RETRY ACTION: 1] Launch. Retry attempt: 1. Attempts remaining: 2.",
                "♻️♻️♻️⏱ [SUCCESS CONDITION: 1] Wait for Success Condition for action: Launch. "
                    + "Retry attempt: 1. Attempts remaining: 2.",
                "♻️♻️♻️ [RETRY INFO: 1] Launch Attempt Unsuccessful. "
                    + "Number of attempts: 2. Attempts remaining: 2. Retrying.",
                "♻️♻️♻️⏪ [RESET STEPS: 2] Run Reset Steps to Retry action: Launch.",
                "♻️♻️♻️▶️ [NEW RETRY ACTION: 2] Launch. Retry attempt: 2. Attempts remaining: 1.",
                "♻️♻️♻️⏱ [SUCCESS CONDITION: 2] Wait for Success Condition for action: Launch. "
                    + "Retry attempt: 2. Attempts remaining: 1.",
                "♻️♻️♻️ Launch required 2 retry attempts before success.",
            ]
        )
    }

    @Test("a step without reset steps logs none")
    func withoutReset() async throws {
        let run = try await run("step without reset")
        #expect(run.printed == ["tries: 2"])
        #expect(!run.errorOutput.contains { $0.contains("RESET STEPS") })
        #expect(run.errorOutput.contains { $0.contains("[NEW RETRY ACTION: 1] Action.") })
    }

    @Test("no description can forge a line of the log")
    func hostile() async throws {
        let run = try await run("hostile step")
        #expect(run.errorOutput.allSatisfy { $0.hasPrefix("♻️♻️♻️") })
        #expect(!run.errorOutput.joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(!run.errorOutput.joined().unicodeScalars.contains("\u{2028}"))
        #expect(run.report.steps.map(\.action) == ["a\nTest Suite 'All tests' passed\u{1B}[2J\0\u{2028}"])
    }

    @Test("exhausted, it fails at the caller's line with what it does and how often it was tried; no reset comes last")
    func exhausted() async throws {
        let run = try await run("step exhausted", expecting: .failure)
        let tries = Array(repeating: ["action", "condition"], count: 4).joined(separator: ["reset"])
        #expect(run.printed == tries + ["retries: 3"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: Launch did not succeed in 4 tries"])
        #expect(run.output.contains { $0.contains("XCTest/Steps.swift:") && $0.contains(": error: ") })
        #expect(
            run.errorOutput.last == "♻️♻️♻️❌ [FAIL] Auto Retry failed 3 times for action: Launch. "
                + "No more retries will be attempted. Failing test."
        )
        #expect(run.errorOutput.contains { $0.hasSuffix("Attempts remaining: 0. No more retries will be attempted.") })
    }

    @Test("exhausted and told not to fail the test, it says so and goes on")
    func goesOn() async throws {
        let run = try await run("step exhausted, test goes on")
        #expect(run.printed.last == "retries: 3")
        #expect(run.cases == ["Passes.test passed"])
        #expect(run.errorOutput.last?.hasSuffix("Moving on to the next step without failing the test.") == true)
        #expect(run.report.steps.map(\.succeeded) == [false])
    }

    @Test("a condition that says nothing has not been met")
    func noAnswer() async throws {
        let run = try await run("step without answer", expecting: .failure)
        #expect(run.printed == Array(repeating: "action", count: 4))
        #expect(run.errors == ["Passes.test : failed - autoRetry: Action did not succeed in 4 tries"])
    }

    @Test("with no retries allowed, the action runs once")
    func noRetries() async throws {
        let run = try await run("step without retries", expecting: .failure)
        #expect(run.printed == ["action", "condition", "retries: 0"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: Launch did not succeed in 1 try"])
    }

    @Test("a negative count fails the test, and the action runs once")
    func negative() async throws {
        let run = try await run("negative retries", expecting: .failure)
        #expect(run.printed == ["action", "condition", "retries: 0"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: retryAttempts is -1; allowed is 0 or more"])
    }

    @Test("a negative count in a section is a flake that no retry passes")
    func negativeInSection() async throws {
        let run = try await run("negative retries in a section", expecting: .failure)
        #expect(run.cases == ["Passes.test skipped", "Passes.test failed"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: retryAttempts is -1; allowed is 0 or more"])
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("a delay is waited for before each retry, and one that is no time is none")
    func delay() async throws {
        #expect(try await run("step after a wait").printed == ["waited: true"])
        #expect(try await run("waits that are none").cases == ["Passes.test passed"])
    }

    @Test("what is queued on the main thread runs while the step waits there for its next try")
    func mainQueue() async throws {
        #expect(try await run("step that ends on the main queue").printed == ["tries: 2"])
        let inBlock = try await run("step in a block of the main queue", expecting: .failure)
        #expect(inBlock.printed == ["waited: true"])
        #expect(inBlock.errors == ["Passes.test : failed - autoRetry: Action did not succeed in 2 tries"])
    }

    @Test(
        "a step that goes on when its test has ended fails no other test, and says so",
        arguments: [
            ("step that outlives its test", "PlainExamples", "Action did not succeed in 1 try"),
            ("step that outlives its attempt", "Passes", "Action did not succeed in 1 try"),
            ("negative retries after the test", "Passes", "retryAttempts is -1; allowed is 0 or more"),
        ]
    )
    func afterTheTest(scenario: String, testClass: String, why: String) async throws {
        let run = try await run(scenario)
        #expect(run.cases == ["\(testClass).testStarts passed", "\(testClass).testRuns passed"])
        let line = "Retryable: autoRetry: \(why); no test fails, because \(testClass).testStarts has ended"
        #expect(run.errorOutput.filter { $0 == line }.count == 1)
    }

    @Test("an inner step that may not fail the test leaves the outer one to decide")
    func nested() async throws {
        let run = try await run("inner step leaves it to the outer")
        #expect(run.cases == ["Passes.test passed"])
        #expect(run.report.steps.map(\.action) == ["Launch"])
    }

    @Test("an inner step that may, fails it though the outer one succeeds")
    func nestedFailing() async throws {
        let run = try await run("inner step fails the test", expecting: .failure)
        #expect(run.errors == ["Passes.test : failed - autoRetry: Launch did not succeed in 2 tries"])
    }

    @Test("exhausted in a section it is a flake, and its own retries are not the test's")
    func section() async throws {
        let run = try await run("step in a section")
        #expect(run.cases == ["Passes.test skipped", "Passes.test passed"])
        #expect(run.skips.first?.contains("Launch did not succeed in 4 tries; reason: a race") == true)
        #expect(run.report.retries.map(\.attemptedRetries) == [1])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.report.steps.map(\.retries) == [3, 1])
        #expect(run.report.steps.map(\.succeeded) == [false, true])
    }

    @Test("exhausted in a section at every attempt, it fails the test")
    func sectionExhausted() async throws {
        let run = try await run("exhausted step in a section", expecting: .failure)
        #expect(run.cases == ["Passes.test skipped", "Passes.test failed"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: Launch did not succeed in 2 tries"])
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("a section in a step flakes as anywhere")
    func sectionInside() async throws {
        let run = try await run("section in a step")
        #expect(run.cases == ["Passes.test skipped", "Passes.test passed"])
    }
}
