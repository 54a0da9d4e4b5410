import Foundation
import RetryReport
import Retryable
import Testing

/// What `autoRetry` does, each rule seen in a whole run. The order of calls is compared as a sequence.
@Suite("How a step is retried")
struct StepTests {
    @Test("a step that succeeds at once leaves no trace")
    func atOnce() async throws {
        let run = try await run(StepAtOnce.self)
        #expect(run.printed == ["action", "condition", "retries: 0"])
        #expect(run.errorOutput.isEmpty)
        #expect(run.report.steps.isEmpty)
        #expect(run.report.retries.isEmpty)
    }

    @Test("the reset steps come before each retry, and the condition after each action")
    func retried() async throws {
        let run = try await run(StepRetried.self)
        #expect(
            run.printed == [
                "action", "condition", "reset", "action", "condition", "reset", "action", "condition", "retries: 2",
            ]
        )
        #expect(run.cases == ["Passes.test passed"])
    }

    @Test("the log has the reference's lines, flags and symbols")
    func log() async throws {
        let run = try await run(StepRetried.self)
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
        let run = try await run(StepWithoutReset.self)
        #expect(run.printed == ["tries: 2"])
        #expect(!run.errorOutput.contains { $0.contains("RESET STEPS") })
        #expect(run.errorOutput.contains { $0.contains("[NEW RETRY ACTION: 1] Action.") })
    }

    @Test("no description can forge a line of the log")
    func hostile() async throws {
        let run = try await run(HostileStep.self)
        #expect(run.errorOutput.allSatisfy { $0.hasPrefix("♻️♻️♻️") })
        #expect(!run.errorOutput.joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(!run.errorOutput.joined().unicodeScalars.contains("\u{2028}"))
        #expect(run.report.steps.map(\.action) == ["a\nTest Suite 'All tests' passed\u{1B}[2J\0\u{2028}"])
    }

    @Test("exhausted, it fails at the caller's line with what it does and how often it was tried; no reset comes last")
    func exhausted() async throws {
        let run = try await run(StepExhausted.self, expecting: .failure)
        let tries = Array(repeating: ["action", "condition"], count: 4).joined(separator: ["reset"])
        #expect(run.printed == tries + ["retries: 3"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: Launch did not succeed in 4 tries"])
        #expect(run.output.contains { $0.contains("WholeRuns/Steps.swift:") && $0.contains(": error: ") })
        #expect(
            run.errorOutput.last == "♻️♻️♻️❌ [FAIL] Auto Retry failed 3 times for action: Launch. "
                + "No more retries will be attempted. Failing test."
        )
        #expect(run.errorOutput.contains { $0.hasSuffix("Attempts remaining: 0. No more retries will be attempted.") })
    }

    @Test("exhausted and told not to fail the test, it says so and goes on")
    func goesOn() async throws {
        let run = try await run(StepGoesOn.self)
        #expect(run.printed.last == "retries: 3")
        #expect(run.cases == ["Passes.test passed"])
        #expect(run.errorOutput.last?.hasSuffix("Moving on to the next step without failing the test.") == true)
        #expect(run.report.steps.map(\.succeeded) == [false])
    }

    @Test("a condition that says nothing has not been met")
    func noAnswer() async throws {
        let run = try await run(StepWithoutAnswer.self, expecting: .failure)
        #expect(run.printed == Array(repeating: "action", count: 4))
        #expect(run.errors == ["Passes.test : failed - autoRetry: Action did not succeed in 4 tries"])
    }

    @Test("with no retries allowed, the action runs once")
    func noRetries() async throws {
        let run = try await run(StepWithoutRetries.self, expecting: .failure)
        #expect(run.printed == ["action", "condition", "retries: 0"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: Launch did not succeed in 1 try"])
    }

    @Test("a negative count fails the test, and the action runs once")
    func negative() async throws {
        let run = try await run(NegativeRetries.self, expecting: .failure)
        #expect(run.printed == ["action", "condition", "retries: 0"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: retryAttempts is -1; allowed is 0 or more"])
    }

    @Test("a negative count in a section is a flake that no retry passes")
    func negativeInSection() async throws {
        let run = try await run(NegativeRetriesInSection.self, expecting: .failure)
        #expect(run.cases == ["Passes.test skipped", "Passes.test failed"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: retryAttempts is -1; allowed is 0 or more"])
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("a delay is waited for before each retry, and one that is no time is none")
    func delay() async throws {
        #expect(try await run(StepAfterWait.self).printed == ["waited: true"])
        #expect(try await run(WaitsThatAreNone.self).cases == ["Passes.test passed"])
    }

    @Test("what is queued on the main thread runs while the step waits there for its next try")
    func mainQueue() async throws {
        #expect(try await run(StepEndsOnMainQueue.self).printed == ["tries: 2"])
        let inBlock = try await run(StepInMainQueue.self, expecting: .failure)
        #expect(inBlock.printed == ["waited: true"])
        #expect(inBlock.errors == ["Passes.test : failed - autoRetry: Action did not succeed in 2 tries"])
    }

    @Test(
        "a step that goes on when its test has ended fails the test that runs then, as an assertion would, and says so",
        arguments: [
            (StepOutlivesTest.self, "PlainExamples", "Action did not succeed in 1 try"),
            (StepOutlivesAttempt.self, "Passes", "Action did not succeed in 1 try"),
            (NegativeRetriesAfterTest.self, "Passes", "retryAttempts is -1; allowed is 0 or more"),
        ] as [(any Program.Type, String, String)]
    )
    func afterTheTest(program: any Program.Type, testClass: String, why: String) async throws {
        let run = try await run(program, expecting: .failure)
        #expect(run.cases == ["\(testClass).testStarts passed", "\(testClass).testRuns failed"])
        let line =
            "Retryable: autoRetry: \(why); \(testClass).testStarts has ended, so the test that runs now fails, if there is one"
        #expect(run.errorOutput.filter { $0 == line }.count == 1)
    }

    @Test("an inner step that may not fail the test leaves the outer one to decide")
    func nested() async throws {
        let run = try await run(InnerLeavesIt.self)
        #expect(run.cases == ["Passes.test passed"])
        #expect(run.report.steps.map(\.action) == ["Launch"])
    }

    @Test("an inner step that may, fails it though the outer one succeeds")
    func nestedFailing() async throws {
        let run = try await run(InnerFails.self, expecting: .failure)
        #expect(run.errors == ["Passes.test : failed - autoRetry: Launch did not succeed in 2 tries"])
    }

    @Test("exhausted in a section it is a flake, and its own retries are not the test's")
    func section() async throws {
        let run = try await run(StepInSection.self)
        #expect(run.cases == ["Passes.test skipped", "Passes.test passed"])
        #expect(run.skips.first?.contains("Launch did not succeed in 4 tries; reason: a race") == true)
        #expect(run.report.retries.map(\.attemptedRetries) == [1])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.report.steps.map(\.retries) == [3, 1])
        #expect(run.report.steps.map(\.succeeded) == [false, true])
    }

    @Test("exhausted in a section at every attempt, it fails the test")
    func sectionExhausted() async throws {
        let run = try await run(ExhaustedInSection.self, expecting: .failure)
        #expect(run.cases == ["Passes.test skipped", "Passes.test failed"])
        #expect(run.errors == ["Passes.test : failed - autoRetry: Launch did not succeed in 2 tries"])
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("a section in a step flakes as anywhere")
    func sectionInside() async throws {
        let run = try await run(SectionInStep.self)
        #expect(run.cases == ["Passes.test skipped", "Passes.test passed"])
    }
}

// MARK: - Programs

enum StepAtOnce: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.step(succeedsAt: 1)
    }
}

enum StepRetried: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.step(succeedsAt: 3)
    }
}

enum StepWithoutReset: OneFunction {
    static func test(_ test: RetryableTestCase) {
        var tries = 0
        test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 })
        print("tries: \(tries)")
    }
}

enum StepExhausted: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.step(succeedsAt: .max)
    }
}

enum StepGoesOn: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.step(succeedsAt: .max, failTestOnFailure: false)
    }
}

enum StepWithoutAnswer: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.autoRetry(mainAction: { print("action") }, successCondition: { nil }, resetSteps: nil)
    }
}

enum StepWithoutRetries: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.step(succeedsAt: .max, retryAttempts: 0)
    }
}

enum NegativeRetries: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.step(succeedsAt: 1, retryAttempts: -1)
    }
}

enum NegativeRetriesInSection: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.flaky(.fixable(reason: "a race")) { test.step(succeedsAt: 1, retryAttempts: -1) }
    }
}

enum StepAfterWait: OneFunction {
    static func test(_ test: RetryableTestCase) {
        let start = Date()
        var tries = 0
        test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 3 }, delay: 0.02)
        print("waited: \(Date().timeIntervalSince(start) >= 0.04)")
    }
}

enum StepEndsOnMainQueue: OneFunction {
    static func test(_ test: RetryableTestCase) {
        var tries = 0
        let isLaunched = Flag()
        test.autoRetry(
            mainAction: {
                tries += 1
                DispatchQueue.main.async { isLaunched.set() }
            },
            successCondition: { isLaunched.isSet },
            delay: 0.02
        )
        print("tries: \(tries)")
    }
}

enum StepInMainQueue: OneFunction {
    static func test(_ test: RetryableTestCase) {
        let start = Date()
        let isDone = test.expectation(description: "done")
        nonisolated(unsafe) let test = test
        DispatchQueue.main.async {
            test.autoRetry(mainAction: {}, successCondition: { false }, retryAttempts: 1, delay: 0.02)
            isDone.fulfill()
        }
        test.wait(for: [isDone], timeout: 10)
        print("waited: \(Date().timeIntervalSince(start) >= 0.02)")
    }
}

enum WaitsThatAreNone: OneFunction {
    static func test(_ test: RetryableTestCase) {
        for delay in [-1, .nan, 0] {
            var tries = 0
            test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 }, delay: delay)
        }
    }
}

enum InnerLeavesIt: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.autoRetry(
            mainAction: { test.step(succeedsAt: .max, retryAttempts: 1, failTestOnFailure: false) },
            successCondition: { true },
            actionDescription: "Outer"
        )
    }
}

enum InnerFails: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.autoRetry(
            mainAction: { test.step(succeedsAt: .max, retryAttempts: 1) },
            successCondition: { true },
            actionDescription: "Outer"
        )
    }
}

enum HostileStep: OneFunction {
    static func test(_ test: RetryableTestCase) {
        let action = "a\nTest Suite 'All tests' passed\u{1B}[2J\0\u{2028}"
        var tries = 0
        test.autoRetry(
            mainAction: { tries += 1 },
            successCondition: { tries == 2 },
            actionDescription: action
        )
    }
}

enum StepInSection: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.flaky(.fixable(reason: "a race")) { test.step(succeedsAt: test.retryCount == 0 ? .max : 2) }
    }
}

enum ExhaustedInSection: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.flaky(.fixable(reason: "a race")) { test.step(succeedsAt: .max, retryAttempts: 1) }
    }
}

enum SectionInStep: OneFunction {
    static func test(_ test: RetryableTestCase) {
        test.step(succeedsAt: 1)
        test.autoRetry(
            mainAction: { test.flaky(.fixable(reason: "a race")) { XCTAssertEqual(test.retryCount, 1) } },
            successCondition: { true }
        )
    }
}

enum StepOutlivesTest: Program {
    static var entries: [XCTestCaseEntry] { outliving(PlainExamples.self, retryAttempts: 0) }
}

enum StepOutlivesAttempt: Program {
    static var entries: [XCTestCaseEntry] { outliving(Passes.self, retryAttempts: 0) }
}

enum NegativeRetriesAfterTest: Program {
    static var entries: [XCTestCaseEntry] { outliving(Passes.self, retryAttempts: -1) }
}

/// Two tests: the step of the first fails while the second runs, which does nothing wrong.
private func outliving<Test: XCTestCase & TargetedAutoRetry>(
    _ testClass: Test.Type,
    retryAttempts: Int
) -> [XCTestCaseEntry] {
    let (secondRuns, stepIsOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let starts: XCTestCaseClosure = { test in
        nonisolated(unsafe) let test = test as? Test
        Thread.detachNewThread {
            secondRuns.wait()
            test?.autoRetry(mainAction: {}, successCondition: { false }, retryAttempts: retryAttempts)
            stepIsOver.signal()
        }
    }
    let runs: XCTestCaseClosure = { _ in
        secondRuns.signal()
        stepIsOver.wait()
    }
    return [(testClass, [("testStarts", starts), ("testRuns", runs)])]
}

extension TargetedAutoRetry {
    /// A step that says what it does, and has success at one try.
    func step(succeedsAt goal: Int, retryAttempts: Int = 3, failTestOnFailure: Bool = true) {
        var tries = 0
        let retries = autoRetry(
            mainAction: {
                print("action")
                tries += 1
            },
            successCondition: {
                print("condition")
                return tries == goal
            },
            resetSteps: { print("reset") },
            retryAttempts: retryAttempts,
            actionDescription: "Launch",
            failTestOnFailure: failTestOnFailure
        )
        print("retries: \(retries)")
    }
}

/// Something that a block on another queue says.
private final class Flag: @unchecked Sendable {  // Sendable: it is read and written under `lock` alone.
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func set() { lock.withLock { value = true } }
}
