import Retryable

extension Scenario {
    static var steps: [Scenario] {
        [
            Scenario(
                "examples",
                testCase([
                    ("testBasics", RetryableExamples.testBasics),
                    ("testMyAwesomeTest", RetryableExamples.testMyAwesomeTest),
                    ("testNested", RetryableExamples.testNested),
                ])
            ),
            Scenario(
                "plain examples",
                testCase([
                    ("testBasics", PlainExamples.testBasics),
                    ("testMyAwesomeTest", PlainExamples.testMyAwesomeTest),
                    ("testNested", PlainExamples.testNested),
                ])
            ),
            step("step at once") { $0.step(succeedsAt: 1) },
            step("step retried") { $0.step(succeedsAt: 3) },
            step("step without reset") { test in
                var tries = 0
                test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 })
                print("tries: \(tries)")
            },
            step("step exhausted") { $0.step(succeedsAt: .max) },
            step("step exhausted, test goes on") { $0.step(succeedsAt: .max, failTestOnFailure: false) },
            step("step without answer") { test in
                test.autoRetry(mainAction: { print("action") }, successCondition: { nil }, resetSteps: nil)
            },
            step("step without retries") { $0.step(succeedsAt: .max, retryAttempts: 0) },
            step("negative retries") { $0.step(succeedsAt: 1, retryAttempts: -1) },
            step("negative retries in a section") { test in
                test.flaky(.fixable(reason: "a race")) { test.step(succeedsAt: 1, retryAttempts: -1) }
            },
            step("step after a wait") { test in
                let start = Date()
                var tries = 0
                test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 3 }, delay: 0.02)
                print("waited: \(Date().timeIntervalSince(start) >= 0.04)")
            },
            step("step that ends on the main queue") { test in
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
            },
            step("step in a block of the main queue") { test in
                let start = Date()
                let isDone = test.expectation(description: "done")
                nonisolated(unsafe) let test = test
                DispatchQueue.main.async {
                    test.autoRetry(mainAction: {}, successCondition: { false }, retryAttempts: 1, delay: 0.02)
                    isDone.fulfill()
                }
                test.wait(for: [isDone], timeout: 10)
                print("waited: \(Date().timeIntervalSince(start) >= 0.02)")
            },
            outliving("step that outlives its test", PlainExamples.self, retryAttempts: 0),
            outliving("step that outlives its attempt", Passes.self, retryAttempts: 0),
            outliving("negative retries after the test", Passes.self, retryAttempts: -1),
            step("waits that are none") { test in
                for delay in [-1, .nan, 0] {
                    var tries = 0
                    test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 }, delay: delay)
                }
            },
            step("inner step leaves it to the outer") { test in
                test.autoRetry(
                    mainAction: { test.step(succeedsAt: .max, retryAttempts: 1, failTestOnFailure: false) },
                    successCondition: { true },
                    actionDescription: "Outer"
                )
            },
            step("inner step fails the test") { test in
                test.autoRetry(
                    mainAction: { test.step(succeedsAt: .max, retryAttempts: 1) },
                    successCondition: { true },
                    actionDescription: "Outer"
                )
            },
            step("hostile step") { test in
                let action = "a\nTest Suite 'All tests' passed\u{1B}[2J\0\u{2028}"
                var tries = 0
                test.autoRetry(
                    mainAction: { tries += 1 },
                    successCondition: { tries == 2 },
                    actionDescription: action
                )
            },
            step("step in a section") { test in
                test.flaky(.fixable(reason: "a race")) { test.step(succeedsAt: test.retryCount == 0 ? .max : 2) }
            },
            step("exhausted step in a section") { test in
                test.flaky(.fixable(reason: "a race")) { test.step(succeedsAt: .max, retryAttempts: 1) }
            },
            step("section in a step") { test in
                test.step(succeedsAt: 1)
                test.autoRetry(
                    mainAction: { test.flaky(.fixable(reason: "a race")) { XCTAssertEqual(test.retryCount, 1) } },
                    successCondition: { true }
                )
            },
        ]
    }

    /// A scenario of two tests: the step of the first fails while the second runs, which does nothing wrong.
    private static func outliving<Test: XCTestCase & TargetedAutoRetry>(
        _ name: String,
        _ testClass: Test.Type,
        retryAttempts: Int
    ) -> Scenario {
        let (secondRuns, stepIsOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        return Scenario(
            name,
            (
                testClass,
                [
                    (
                        "testStarts",
                        { test in
                            guard let test = test as? Test else { return }
                            nonisolated(unsafe) let unsafeTest = test
                            Thread.detachNewThread {
                                secondRuns.wait()
                                unsafeTest.autoRetry(
                                    mainAction: {},
                                    successCondition: { false },
                                    retryAttempts: retryAttempts
                                )
                                stepIsOver.signal()
                            }
                        }
                    ),
                    (
                        "testRuns",
                        { _ in
                            secondRuns.signal()
                            stepIsOver.wait()
                        }
                    ),
                ]
            )
        )
    }

    /// A scenario of one test on RetryableTestCase.
    static func step(_ name: String, _ body: @escaping (RetryableTestCase) throws -> Void) -> Scenario {
        Scenario(
            name,
            (
                Passes.self,
                [
                    (
                        "test",
                        { test in
                            guard let test = test as? RetryableTestCase else { return }
                            try body(test)
                        }
                    )
                ]
            )
        )
    }
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
