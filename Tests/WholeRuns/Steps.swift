import Foundation
import RetryReport
import Retryable
import TestSupport
import Testing

/// What `autoRetry` does, each rule seen in a whole run. The order of calls is compared as a sequence.
@Suite("How a step is retried")
struct StepTests: RowTable {
    static var rows: [Row] {
        Row("a step that succeeds at once leaves no trace", printed: ["action", "condition", "retries: 0"])
            .xctest { test in
                test.step(succeedsAt: 1)
            } expecting: { run in
                #expect(run.errorOutput.isEmpty)
                #expect(run.report.steps.isEmpty)
            }
        Row(
            "a step runs its reset steps before each retry and its condition after each action, and logs all of them",
            printed: [
                "action", "condition", "reset", "action", "condition", "reset", "action", "condition", "retries: 2",
            ]
        )
        .xctest { test in
            test.step(succeedsAt: 3)
        } expecting: { run in
            #expect(run.errorOutput == log)
        }
        Row("a step without reset steps logs none", printed: ["tries: 2"])
            .xctest { test in
                var tries = 0
                test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 })
                print("tries: \(tries)")
            } expecting: { run in
                #expect(!run.errorOutput.contains { $0.contains("RESET STEPS") })
                #expect(run.errorOutput.contains { $0.contains("[NEW RETRY ACTION: 1] Action.") })
            }
        Row("no description of a step can forge a line of its log")
            .xctest { test in
                var tries = 0
                test.autoRetry(
                    mainAction: { tries += 1 },
                    successCondition: { tries == 2 },
                    actionDescription: hostile
                )
            } expecting: { run in
                #expect(run.errorOutput.allSatisfy { $0.hasPrefix("♻️♻️♻️") })
                let log = run.errorOutput.joined().unicodeScalars
                #expect(!log.contains { $0.properties.generalCategory == .control || $0 == "\u{2028}" })
                #expect(run.report.steps.map(\.action) == [hostile])
            }
        Row("no description of a step can forge a failure", failures: [.failedStep(#"a\nb did not succeed in 1 try"#)])
            .xctest { test in
                test.autoRetry(
                    mainAction: {},
                    successCondition: { false },
                    retryAttempts: 0,
                    actionDescription: "a\nb"
                )
            }
        Row(
            "a step without retries left fails at the caller's line, and says what it does and how often it was tried",
            failures: [.failedStep("Launch", tries: 4)],
            printed: Array(repeating: ["action", "condition"], count: 4).joined(separator: ["reset"]) + ["retries: 3"]
        )
        .xctest { test in
            test.step(succeedsAt: .max)
        } expecting: { run in
            #expect(run.output.contains { $0.contains("WholeRuns/Steps.swift:") && $0.contains(": error: ") })
            #expect(
                run.errorOutput.last == "♻️♻️♻️❌ [FAIL] Auto Retry failed 3 times for action: Launch. "
                    + "No more retries will be attempted. Failing test."
            )
            let end = "Attempts remaining: 0. No more retries will be attempted."
            #expect(run.errorOutput.contains { $0.hasSuffix(end) })
        }
        Row("a step that may not fail its test says that it failed, and the test goes on")
            .xctest { test in
                test.step(succeedsAt: .max, failTestOnFailure: false)
            } expecting: { run in
                #expect(run.printed.last == "retries: 3")
                #expect(run.errorOutput.last?.hasSuffix("Moving on to the next step without failing the test.") == true)
                #expect(run.report.steps.map(\.succeeded) == [false])
            }
        Row(
            "a step whose condition is nil has not succeeded",
            failures: [.failedStep("Action", tries: 4)],
            printed: Array(repeating: "action", count: 4)
        )
        .xctest { test in
            test.autoRetry(mainAction: { print("action") }, successCondition: { nil }, resetSteps: nil)
        }
        Row(
            "a step that allows no retries runs its action once",
            failures: [.failedStep("Launch did not succeed in 1 try")],
            printed: ["action", "condition", "retries: 0"]
        )
        .xctest { test in test.step(succeedsAt: .max, retryAttempts: 0) }
        Row(
            "a step with a negative number of retries fails the test",
            failures: [negative],
            printed: ["action", "condition", "retries: 0"]
        )
        .xctest { test in test.step(succeedsAt: 1, retryAttempts: -1) }
        Row(
            "a step with a negative number of retries flakes in a section, and fails on each retry",
            [.flaked, .failed],
            failures: [negative]
        )
        .xctest { test in test.flaky(.race) { test.step(succeedsAt: 1, retryAttempts: -1) } }
        Row("a step waits for its delay before each retry", printed: ["waited: true"])
            .xctest { test in
                let start = Date()
                var tries = 0
                test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 3 }, delay: 0.02)
                print("waited: \(Date().timeIntervalSince(start) >= 0.04)")
            }
        Row("a step whose delay is negative, zero or no number does not wait")
            .xctest { test in
                for delay in [-1, .nan, 0] {
                    var tries = 0
                    test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 }, delay: delay)
                }
            }
        Row("what is queued on the main thread runs while a step waits there for its next try", printed: ["tries: 2"])
            .xctest { test in
                var tries = 0
                let isLaunched = Locked(false)
                test.autoRetry(
                    mainAction: {
                        tries += 1
                        DispatchQueue.main.async { isLaunched.withLock { $0 = true } }
                    },
                    successCondition: { isLaunched.withLock { $0 } },
                    delay: 0.02
                )
                print("tries: \(tries)")
            }
        Row(
            "a step that runs in a block of the main queue waits for its delay, too",
            failures: [.failedStep("Action", tries: 2)],
            printed: ["waited: true"]
        )
        .xctest { test in
            let start = Date()
            let isDone = test.expectation(description: "done")
            let shared = Shared(test: test)
            DispatchQueue.main.async {
                shared.test.autoRetry(mainAction: {}, successCondition: { false }, retryAttempts: 1, delay: 0.02)
                isDone.fulfill()
            }
            test.wait(for: [isDone], timeout: 10)
            print("waited: \(Date().timeIntervalSince(start) >= 0.02)")
        }
        Row("an inner step that may not fail the test leaves the decision to the outer one")
            .xctest { test in
                test.autoRetry(
                    mainAction: { test.step(succeedsAt: .max, retryAttempts: 1, failTestOnFailure: false) },
                    successCondition: { true },
                    actionDescription: "Outer"
                )
            } expecting: { run in
                #expect(run.report.steps.map(\.action) == ["Launch"])
            }
        Row(
            "an inner step that may fail the test does so even if the outer one succeeds",
            failures: [.failedStep("Launch", tries: 2)]
        )
        .xctest { test in
            test.autoRetry(
                mainAction: { test.step(succeedsAt: .max, retryAttempts: 1) },
                successCondition: { true },
                actionDescription: "Outer"
            )
        }
        Row(
            "a step that fails in a section is a flake, and its own retries are not those of the test",
            [.flaked, .passed]
        )
        .xctest { test in
            test.flaky(.race) { test.step(succeedsAt: test.retryCount == 0 ? .max : 2) }
        } expecting: { run in
            #expect(run.skips.first?.contains("Launch did not succeed in 4 tries; reason: a race") == true)
            #expect(run.report.steps.map(\.retries) == [3, 1])
            #expect(run.report.steps.map(\.succeeded) == [false, true])
        }
        Row(
            "a step that fails on each attempt of a section fails the test",
            [.flaked, .failed],
            failures: [.failedStep("Launch", tries: 2)]
        )
        .xctest { test in test.flaky(.race) { test.step(succeedsAt: .max, retryAttempts: 1) } }
        Row("a failure in a section inside of a step is a flake", [.flaked, .passed])
            .xctest { test in
                test.step(succeedsAt: 1)
                test.autoRetry(
                    mainAction: { test.flaky(.race) { XCTAssertEqual(test.retryCount, 1) } },
                    successCondition: { true }
                )
            }
        Row(
            "a step of a page object that is a structure is retried, and fails the running test",
            [.flaked("the bank is slow"), .failed],
            failures: [.failedStep("Pay did not succeed in 1 try")],
            printed: ["sign in", "sign out", "sign in", "retries: 1"]
        )
        .xctest { test in
            let page = AccountPage()
            if test.retryCount == 0 { page.signIn() }
            test.flaky(.fixable(reason: "the bank is slow")) { page.pay() }
        } expecting: { run in
            #expect(run.report.steps.map(\.test) == Array(repeating: "-[RowTest test]", count: 3))
        }
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    private static let negative = Row.Failure.failedStep("retryAttempts is -1; allowed is 0 or more")

    private static let log = [
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

    private static let hostile = "a\nTest Suite 'All tests' passed\u{1B}[2J\0\u{2028}"

    @Test(
        "a step that goes on after its test has ended fails the test that runs then, and says so",
        arguments: [
            ("PlainExamples", 0, "Action did not succeed in 1 try"),
            ("Passes", 0, "Action did not succeed in 1 try"),
            ("Passes", -1, "retryAttempts is -1; allowed is 0 or more"),
        ]
    )
    func afterTheTest(testClass: String, retryAttempts: Int, why: String) async throws {
        let run = try await run(StepOutlivesTest.self, with: ["\(retryAttempts)", testClass], expecting: .failure)
        #expect(run.cases == ["\(testClass).testStarts passed", "\(testClass).testRuns failed"])
        let line =
            "Retryable: autoRetry: \(why); \(testClass).testStarts has ended, so the test that runs now fails, if there is one"
        #expect(run.errorOutput.filter { $0 == line }.count == 1)
    }
}

extension Row.Failure {
    static func failedStep(_ why: String) -> Row.Failure { .recorded("autoRetry: \(why)") }

    static func failedStep(_ action: String, tries: Int) -> Row.Failure {
        failedStep("\(action) did not succeed in \(tries) tries")
    }
}

// MARK: - Programs

/// Two tests: the step of the first fails while the second runs, which does nothing wrong.
///
///     StepOutlivesTest RETRY-ATTEMPTS CLASS
enum StepOutlivesTest: Program {
    static var entries: [XCTestCaseEntry] {
        let retryAttempts = Int(ProgramRun.arguments[0]) ?? 0
        return ProgramRun.arguments[1] == "Passes"
            ? entries(Passes.self, retryAttempts) : entries(PlainExamples.self, retryAttempts)
    }

    private static func entries<Test: XCTestCase & TargetedAutoRetry>(
        _ testClass: Test.Type,
        _ retryAttempts: Int
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
