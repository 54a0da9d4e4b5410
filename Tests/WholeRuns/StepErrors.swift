import RetryReport
import Retryable
import Testing

/// What becomes of errors in a step, and of steps that suspend.
@Suite("What a step does with errors")
struct StepErrorTests {
    @Test("an error of the action is a try without success, and its condition is not asked")
    func once() async throws {
        let run = try await run(ActionThrowsOnce.self)
        #expect(run.printed == ["condition of try 2", "retries: 1"])
        #expect(run.cases == ["Passes.test passed"])
        #expect(run.errorOutput.first?.hasSuffix("Retrying. Error: Boom") == true)
    }

    @Test(
        "the last error is part of the failure",
        arguments: [
            (ActionThrows.self, "Launch did not succeed in 4 tries; last error, thrown by try 4: Boom"),
            (ConditionThrows.self, "Action did not succeed in 2 tries; last error, thrown by try 2: Boom"),
            (FirstTryThrows.self, "Action did not succeed in 2 tries; last error, thrown by try 1: Boom"),
        ] as [(any Program.Type, String)]
    )
    func always(program: any Program.Type, message: String) async throws {
        let run = try await run(program, expecting: .failure)
        #expect(run.errors == ["Passes.test : failed - autoRetry: \(message)"])
    }

    @Test("an error of the reset steps uses up the retry that they were for")
    func reset() async throws {
        let run = try await run(ResetThrowsOnce.self)
        #expect(run.printed == ["action", "reset", "reset", "action"])
        #expect(run.report.steps.map(\.retries) == [2])
    }

    @Test("a skip passes through, and the retries before it are in the report")
    func skip() async throws {
        let run = try await run(StepSkips.self)
        #expect(run.cases == ["Passes.test skipped"])
        #expect(run.skips == ["not today"])
        #expect(run.report.steps.map(\.retries) == [1])
        #expect(run.report.steps.map(\.succeeded) == [false])
    }

    @Test("a cancellation passes through")
    func cancellation() async throws {
        let run = try await run(StepThrowsCancellation.self, expecting: .failure)
        #expect(run.errors == ["Passes.test : threw error \"CancellationError()\""])
        #expect(run.report.steps.isEmpty)
    }

    @Test("a section that stops the test is not tried again")
    func stop() async throws {
        let run = try await run(SectionStopsInStep.self)
        #expect(run.printed == ["action", "action"])
        #expect(run.cases == ["Passes.test skipped", "Passes.test passed"])
        #expect(run.report.steps.isEmpty)
    }

    @Test("an error that a step caught is nobody's failure, whatever section it had left")
    func caught() async throws {
        let run = try await run(ErrorCaughtByStep.self)
        #expect(run.cases == ["Passes.test passed"])
        #expect(run.report.retries.isEmpty)
        #expect(run.report.steps.map(\.retries) == [1])
    }

    // MARK: - Steps that suspend

    @Test("steps that suspend mean the same; those that do not need no await in an async test")
    func suspending() async throws {
        let run = try await run(AsyncSteps.self)
        #expect(
            run.printed == [
                "action", "condition", "reset", "action", "condition", "retries: 1",
                "reset", "condition", "condition",
                "action", "action",
            ]
        )
        #expect(run.cases.allSatisfy { $0.hasSuffix("passed") })
        #expect(run.cases.count == 3)
    }

    @Test("one that suspends is exhausted like any other")
    func suspendingExhausted() async throws {
        let run = try await run(AsyncExhausted.self, expecting: .failure)
        #expect(run.printed == ["action", "reset", "action"])
        #expect(
            run.errors == [
                "AsyncSteps.test : failed - autoRetry: "
                    + "Action did not succeed in 2 tries; last error, thrown by try 2: Boom"
            ]
        )
    }

    @Test(
        "once its task is cancelled no further try is made, and the step has failed",
        arguments: [
            (CancelledStep.self, ["action", "condition", "retries: 0"]),
            (CancelledThrowing.self, ["action", "retries: 0"]),
            (CancelledWaiting.self, ["action", "retries: 0"]),
        ] as [(any Program.Type, [String])]
    )
    func cancelled(program: any Program.Type, printed: [String]) async throws {
        let run = try await run(program, expecting: .failure)
        #expect(run.printed == printed)
        #expect(
            run.errors == [
                "AsyncSteps.test : failed - autoRetry: Action did not succeed in 1 try, and its task was cancelled"
            ]
        )
    }

    @Test("on the main actor, its closures run there")
    func mainActor() async throws {
        let run = try await run(MainActorSteps.self)
        #expect(run.printed == ["tries: 2"])
        #expect(run.cases == ["MainActorSteps.test passed"])
    }
}

// MARK: - Programs

enum ActionThrowsOnce: OneFunction {
    static func test(_ test: RetryableTestCase) throws {
        var tries = 0
        let retries = try test.autoRetry(
            mainAction: {
                tries += 1
                if tries == 1 { throw Boom() }
            },
            successCondition: {
                print("condition of try \(tries)")
                return true
            }
        )
        print("retries: \(retries)")
    }
}

enum ActionThrows: OneFunction {
    static func test(_ test: RetryableTestCase) throws {
        try test.autoRetry(
            mainAction: { throw Boom() },
            successCondition: { true },
            actionDescription: "Launch"
        )
    }
}

enum ConditionThrows: OneFunction {
    static func test(_ test: RetryableTestCase) throws {
        try test.autoRetry(mainAction: {}, successCondition: { throw Boom() }, retryAttempts: 1)
    }
}

enum FirstTryThrows: OneFunction {
    static func test(_ test: RetryableTestCase) throws {
        var tries = 0
        try test.autoRetry(
            mainAction: {
                tries += 1
                if tries == 1 { throw Boom() }
            },
            successCondition: { false },
            retryAttempts: 1
        )
    }
}

enum ResetThrowsOnce: OneFunction {
    static func test(_ test: RetryableTestCase) throws {
        var resets = 0
        try test.autoRetry(
            mainAction: { print("action") },
            successCondition: { resets == 2 },
            resetSteps: {
                print("reset")
                resets += 1
                if resets == 1 { throw Boom() }
            }
        )
    }
}

enum StepSkips: OneFunction {
    static func test(_ test: RetryableTestCase) throws {
        var tries = 0
        try test.autoRetry(
            mainAction: { tries += 1 },
            successCondition: {
                if tries == 2 { throw XCTSkip("not today") }
                return false
            }
        )
    }
}

enum StepThrowsCancellation: OneFunction {
    static func test(_ test: RetryableTestCase) throws {
        try test.autoRetry(mainAction: { throw CancellationError() }, successCondition: { true })
    }
}

enum SectionStopsInStep: OneFunction {
    static func test(_ test: RetryableTestCase) throws {
        test.continueAfterFailure = false
        try test.autoRetry(
            mainAction: {
                print("action")
                try test.flaky(.fixable(reason: "a race")) {
                    if test.retryCount > 1 { throw Boom() }
                    XCTAssertEqual(test.retryCount, 1)
                }
            },
            successCondition: { true }
        )
    }
}

enum ErrorCaughtByStep: OneFunction {
    static func test(_ test: RetryableTestCase) throws {
        var tries = 0
        try test.autoRetry(
            mainAction: {
                tries += 1
                try test.flaky(.fixable(reason: "a race")) { if tries == 1 { throw Boom() } }
            },
            successCondition: { true }
        )
    }
}

final class AsyncSteps: XCTestCase, TargetedAutoRetry, Program {
    static var entries: [XCTestCaseEntry] {
        [
            testCase([
                ("testSucceeds", asyncTest(testSucceeds)),
                ("testSynchronousClosuresNeedNoAwait", asyncTest(testSynchronousClosuresNeedNoAwait)),
                ("testThrowsOnce", asyncTest(testThrowsOnce)),
            ])
        ]
    }

    private var tries = 0
    private func launch() async {
        await Task.yield()
        tries += 1
        print("action")
    }
    private func isLaunched() async -> Bool {
        print("condition")
        return tries == 2
    }

    func testSucceeds() async {
        let retries = await autoRetry(
            mainAction: launch,
            successCondition: isLaunched,
            resetSteps: { print("reset") },
            delay: 0.001
        )
        print("retries: \(retries)")
    }

    func testSynchronousClosuresNeedNoAwait() async {
        autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 })
        autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 4 }, resetSteps: { print("reset") })
        await autoRetry(mainAction: { tries += 1 }, successCondition: { await isLaunched() || tries == 6 })
    }

    func testThrowsOnce() async throws {
        try await autoRetry(
            mainAction: {
                await launch()
                if tries == 1 { throw Boom() }
            },
            successCondition: { tries == 2 }
        )
    }

    func testExhausted() async throws {
        try await autoRetry(
            mainAction: { await launch() },
            successCondition: { throw Boom() },
            resetSteps: { print("reset") },
            retryAttempts: 1
        )
    }

    func testCancelled() async {
        withUnsafeCurrentTask { $0?.cancel() }
        let retries = await autoRetry(mainAction: launch, successCondition: { await isLaunched() && false })
        print("retries: \(retries)")
    }

    func testCancelledThrowing() async throws {
        try await cancelled(delay: 0)
    }

    func testCancelledWaiting() async throws {
        try await cancelled(delay: 60)
    }

    private func cancelled(delay: TimeInterval) async throws {
        withUnsafeCurrentTask { $0?.cancel() }
        let retries = try await autoRetry(
            mainAction: { await launch() },
            successCondition: { if tries > 1 { throw Boom() } else { false } },
            delay: delay
        )
        print("retries: \(retries)")
    }
}

enum AsyncExhausted: Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test", asyncTest(AsyncSteps.testExhausted))])] }
}

enum CancelledStep: Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test", asyncTest(AsyncSteps.testCancelled))])] }
}

enum CancelledThrowing: Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test", asyncTest(AsyncSteps.testCancelledThrowing))])] }
}

enum CancelledWaiting: Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test", asyncTest(AsyncSteps.testCancelledWaiting))])] }
}

/// Swift's way to say that all of a class runs on the main actor.
@MainActor
final class MainActorSteps: RetryableTestCase, Program {
    nonisolated static var entries: [XCTestCaseEntry] { [testCase([("test", onMainActor)])] }

    private var tries = 0
    private func launch() { tries += 1 }
    private func isLaunched() -> Bool { tries == 2 }
    private func quit() {}

    /// What `asyncTest(test)` is for a class on the main actor, which has to be shared with the task that it makes.
    private nonisolated static func onMainActor(_ test: MainActorSteps) -> () throws -> Void {
        let shared = Shared(test: test)
        return asyncTest { (_: MainActorSteps) in { await shared.test.test() } }(test)
    }

    func test() async {
        autoRetry(mainAction: launch, successCondition: isLaunched, resetSteps: quit)
        tries = 0
        await autoRetry(
            mainAction: {
                await Task.yield()
                MainActor.assertIsolated()
                launch()
            },
            successCondition: isLaunched,
            resetSteps: { MainActor.assertIsolated() },
            delay: 0.001
        )
        print("tries: \(tries)")
    }
}
