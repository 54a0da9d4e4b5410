import RetryReport
import Retryable
import Testing

/// What becomes of errors in a step, and of steps that suspend.
@Suite("What a step does with errors")
struct StepErrorTests: RowTable {
    static var rows: [Row] {
        Row(
            "a step whose action throws tries again, without looking at its condition",
            printed: ["condition of try 2", "retries: 1"]
        )
        .xctest { test in
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
        } expecting: { run in
            #expect(run.errorOutput.first?.hasSuffix("Retrying. Error: Boom") == true)
        }
        Row("the failure of a step has the last error of its action", failures: [failed(tries: 4, lastError: 4)])
            .xctest { test in
                try test.autoRetry(mainAction: { throw Boom() }, successCondition: { true })
            }
        Row("the failure of a step has the last error of its condition", failures: [failed(tries: 2, lastError: 2)])
            .xctest { test in
                try test.autoRetry(mainAction: {}, successCondition: { throw Boom() }, retryAttempts: 1)
            }
        Row(
            "the failure of a step has its last error, even if a later try threw none",
            failures: [failed(tries: 2, lastError: 1)]
        )
        .xctest { test in
            var tries = 0
            try test.autoRetry(
                mainAction: {
                    tries += 1
                    if tries == 1 { throw Boom() }
                },
                successCondition: { false },
                retryAttempts: 1
            )
        } expecting: { run in
            #expect(run.errorOutput.count { $0.hasSuffix(" Error: Boom") } == 1)
        }
        Row("an error in the reset steps of a step uses up a retry", printed: ["action", "reset", "reset", "action"])
            .xctest { test in
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
            } expecting: { run in
                #expect(run.report.steps.map(\.retries) == [2])
            }
        Row("a step does not catch a CancellationError", failures: [.thrown("CancellationError()")])
            .xctest { test in
                try test.autoRetry(mainAction: { throw CancellationError() }, successCondition: { true })
            } expecting: { run in
                #expect(run.report.steps.isEmpty)
            }
        Row(
            "a step is not tried again when a section in it stops the test",
            [.flaked, .passed],
            printed: ["action", "action"]
        )
        .xctest { test in
            test.continueAfterFailure = false
            try test.autoRetry(
                mainAction: {
                    print("action")
                    try test.flaky(.race) {
                        if test.retryCount > 1 { throw Boom() }
                        XCTAssertEqual(test.retryCount, 1)
                    }
                },
                successCondition: { true }
            )
        } expecting: { run in
            #expect(run.report.steps.isEmpty)
        }
        Row("an error that a step caught is no failure, even if it had left a section")
            .xctest { test in
                var tries = 0
                try test.autoRetry(
                    mainAction: {
                        tries += 1
                        try test.flaky(.race) { if tries == 1 { throw Boom() } }
                    },
                    successCondition: { true }
                )
            } expecting: { run in
                #expect(run.report.steps.map(\.retries) == [1])
            }

        Row(
            "the failure of a step that suspends has its last error",
            failures: [failed(tries: 2, lastError: 2)],
            printed: ["action", "reset", "action"]
        )
        .xctest { test in
            try await test.autoRetry(
                mainAction: { await act() },
                successCondition: { throw Boom() },
                resetSteps: { print("reset") },
                retryAttempts: 1
            )
        }
        Row(
            "a step that suspends makes no further try when its task is cancelled",
            failures: [cancelled],
            printed: ["action", "condition", "retries: 0"]
        )
        .xctest { test in
            withUnsafeCurrentTask { $0?.cancel() }
            let retries = await test.autoRetry(
                mainAction: act,
                successCondition: {
                    await Task.yield()
                    print("condition")
                    return false
                }
            )
            print("retries: \(retries)")
        }
        Row(
            "a step that can throw makes no further try when its task is cancelled",
            failures: [cancelled],
            printed: ["action", "retries: 0"]
        )
        .xctest { test in try await actOnceCancelled(test, delay: 0) }
        Row(
            "a step with a delay makes no further try when its task is cancelled, and does not wait",
            failures: [cancelled],
            printed: ["action", "retries: 0"]
        )
        .xctest { test in try await actOnceCancelled(test, delay: 60) }
        Row("the closures of a step in a test on the main actor run on the main actor", printed: ["tries: 2"])
            .xctest(MainActorSteps.self)
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    private static func failed(tries: Int, lastError: Int) -> Row.Failure {
        .recorded("autoRetry: Action did not succeed in \(tries) tries; last error, thrown by try \(lastError): Boom")
    }

    private static let cancelled = Row.Failure.failedStep("Action did not succeed in 1 try, and its task was cancelled")

    @Test("a step does not catch a skip, and the report has the retries before it")
    func skip() async throws {
        let run = try await run(StepSkips.self)
        #expect(run.cases == ["StepSkips.test skipped"])
        #expect(run.skips == ["not today"])
        #expect(run.report.steps.map(\.retries) == [1])
        #expect(run.report.steps.map(\.succeeded) == [false])
    }

    @Test("a step that suspends works like one that does not, which needs no await in an async test")
    func suspending() async throws {
        let run = try await run(AsyncSteps.self)
        #expect(
            run.printed == [
                "action", "condition", "reset", "action", "condition", "retries: 1",
                "reset", "condition", "condition",
                "action", "action",
            ]
        )
        #expect(run.cases.map { $0.hasSuffix("passed") } == [true, true, true])
    }
}

/// What a step that suspends does.
private func act() async {
    await Task.yield()
    print("action")
}

private func actOnceCancelled(_ test: RetryableTestCase, delay: TimeInterval) async throws {
    withUnsafeCurrentTask { $0?.cancel() }
    var tries = 0
    let retries = try await test.autoRetry(
        mainAction: {
            await act()
            tries += 1
        },
        successCondition: { if tries > 1 { throw Boom() } else { false } },
        delay: delay
    )
    print("retries: \(retries)")
}

// MARK: - Classes of their own

final class StepSkips: RetryableTestCase, OneTest {
    func test() throws {
        var tries = 0
        try autoRetry(
            mainAction: { tries += 1 },
            successCondition: {
                if tries == 2 { throw XCTSkip("not today") }
                return false
            }
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
        await act()
        tries += 1
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
}

/// Swift's way to say that all of a class runs on the main actor.
@MainActor
final class MainActorSteps: RetryableTestCase, Program {
    nonisolated static var entries: [XCTestCaseEntry] {
        [testCase([("test", mainActorTest { (test: MainActorSteps) in await test.test() })])]
    }

    private var tries = 0
    private func launch() { tries += 1 }
    private func isLaunched() -> Bool { tries == 2 }
    private func quit() {}

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
