import Retryable

extension Scenario {
    static var stepErrors: [Scenario] {
        [
            step("action throws once") { test in
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
            },
            step("action always throws") { test in
                try test.autoRetry(
                    mainAction: { throw Boom() },
                    successCondition: { true },
                    actionDescription: "Launch"
                )
            },
            step("condition always throws") { test in
                try test.autoRetry(mainAction: {}, successCondition: { throw Boom() }, retryAttempts: 1)
            },
            step("only the first try throws") { test in
                var tries = 0
                try test.autoRetry(
                    mainAction: {
                        tries += 1
                        if tries == 1 { throw Boom() }
                    },
                    successCondition: { false },
                    retryAttempts: 1
                )
            },
            step("reset throws once") { test in
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
            },
            step("step skips") { test in
                var tries = 0
                try test.autoRetry(
                    mainAction: { tries += 1 },
                    successCondition: {
                        if tries == 2 { throw XCTSkip("not today") }
                        return false
                    }
                )
            },
            step("step throws a cancellation") { test in
                try test.autoRetry(mainAction: { throw CancellationError() }, successCondition: { true })
            },
            step("section that stops in a step") { test in
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
            },
            step("error caught by a step has left a section") { test in
                var tries = 0
                try test.autoRetry(
                    mainAction: {
                        tries += 1
                        try test.flaky(.fixable(reason: "a race")) { if tries == 1 { throw Boom() } }
                    },
                    successCondition: { true }
                )
            },
            Scenario(
                "async steps",
                testCase([
                    ("testSucceeds", asyncTest(AsyncSteps.testSucceeds)),
                    ("testSynchronousClosuresNeedNoAwait", asyncTest(AsyncSteps.testSynchronousClosuresNeedNoAwait)),
                    ("testThrowsOnce", asyncTest(AsyncSteps.testThrowsOnce)),
                ])
            ),
            Scenario("async step exhausted", testCase([("test", asyncTest(AsyncSteps.testExhausted))])),
            Scenario("cancelled step", testCase([("test", asyncTest(AsyncSteps.testCancelled))])),
            Scenario("cancelled throwing step", testCase([("test", asyncTest(AsyncSteps.testCancelledThrowing))])),
            Scenario(
                "cancelled throwing step that waits",
                testCase([("test", asyncTest(AsyncSteps.testCancelledWaiting))])
            ),
            Scenario("steps on the main actor", testCase([("test", MainActorSteps.onMainActor)])),
        ]
    }
}

class AsyncSteps: XCTestCase, TargetedAutoRetry {
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

/// Swift's way to say that all of a class runs on the main actor.
@MainActor
final class MainActorSteps: RetryableTestCase {
    private var tries = 0
    private func launch() { tries += 1 }
    private func isLaunched() -> Bool { tries == 2 }
    private func quit() {}

    /// What `asyncTest(test)` is for a class on the main actor, which has to be shared with the task that it makes.
    nonisolated static func onMainActor(_ test: MainActorSteps) -> () throws -> Void {
        nonisolated(unsafe) let test = test
        return asyncTest { (_: MainActorSteps) in { await test.test() } }(test)
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
