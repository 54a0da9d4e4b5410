import Dispatch
import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a failure becomes on threads and in tasks, and after a section")
struct PlaceTests: RowTable {
    static var rows: [Row] {
        Row("3: a failure on a queue during a section is a flake", [.flaked, .passed])
            .xctest { test in
                let isFirst = test.retryCount == 0
                test.flaky(.race) {
                    waitForQueue { if isFirst { XCTFail("on a queue") } }
                }
            }
        Row("3: a wait in a section that times out is a flake", [.flaked, .passed])
            .xctest { test in
                test.flaky(.race) {
                    let expectation = test.expectation(description: "never")
                    if test.retryCount > 0 { expectation.fulfill() }
                    test.wait(for: [expectation], timeout: 0.01)
                }
            }
        Row("3: a wait in a section of an async test that times out is a flake", [.flaked, .passed])
            .xctest { test in
                let expectation = test.expectation(description: "never")
                if test.retryCount > 0 { expectation.fulfill() }
                await test.flaky(.race) { await test.fulfillment(of: [expectation], timeout: 0.01) }
            }
        Row("3: a failure in a section of an async test that is listed by hand is a flake", [.flaked, .passed])
            .xctest(ListedByHand.self)
        Row("3: failures in tasks that a section makes are flakes", [.flaked(times: 2), .passed])
            .both { test in
                try await test.flaky(.race) {
                    await withTaskGroup(of: Void.self) { group in group.addTask { test.failOnce() } }
                    await Task { test.failOnce() }.value
                }
            }
        Row("3: a failure in a section on another thread is a flake", [.flaked, .passed])
            .xctest { test in
                let shared = Shared(test: test)
                waitForQueue {
                    shared.test.flaky(.race) { XCTAssertGreaterThan(shared.test.retryCount, 0) }
                }
            }
        Row("3: sections run on the caller's actor, and need no await if they do not suspend", [.flaked, .passed])
            .xctest(OnMainActor.self)
            .testing("OnTheMainActor")
        Row(
            "3: 200 failures in concurrent tasks or threads of a section are all in the report",
            [.flaked(times: 200), .passed]
        )
        .xctest { test in
            let isFirst = test.retryCount == 0
            test.flaky(.race) {
                DispatchQueue.concurrentPerform(iterations: 200) { index in
                    if isFirst { XCTFail("on thread \(index)") }
                }
            }
        } expecting: { run in
            #expect(run.report.tests.first?.attempts.first?.failures.count == 200)
        }
        .testing {
            await flaky(.race) {
                await withTaskGroup(of: Void.self) { group in
                    for number in 1...200 { group.addTask { #expect(Test.retryCount > 0, "failure \(number)") } }
                }
            }
        }
        Row(
            "3: a failure in a detached task is real, even while a section waits for it",
            failures: [.recorded("in a detached task")]
        )
        .both { test in
            try await test.flaky(.race) { await Task.detached { test.fail("in a detached task") }.value }
        }
        Row("3: in Swift Testing, a failure on a thread without a task is real", failures: [.recorded("on a thread")])
            .testing {
                await flaky(.race) {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            Issue.record("on a thread")
                            continuation.resume()
                        }
                    }
                }
            }
        Row(
            "3: a failure in a task made outside of sections is real, even while a section waits for it",
            failures: [.recorded("in a task of no section")]
        )
        .both { test in
            let gate = Gate()
            let other = Task {
                await gate.wait()
                test.fail("in a task of no section")
            }
            try await test.flaky(.race) {
                gate.open()
                await other.value
            }
        }
        Row("3: a failure in a task that outlives its section is real", failures: [.recorded("after its section")])
            .both { test in
                let gate = Gate()
                let task = try await test.flaky(.race) {
                    await Task.yield()
                    return Task {
                        await gate.wait()
                        test.fail("after its section")
                    }
                }
                gate.open()
                await task.value
            }
        Row(
            "3: a wait that times out is a flake of any section that its attempt has open",
            [.flaked("of another task"), .failed],
            failures: [waitedInVain]
        )
        .xctest { test in
            let never = test.expectation(description: "never")
            let opened = DispatchSemaphore(value: 0)
            let shared = Shared(test: test)
            Task {
                await shared.test.flaky(.fixable(reason: "of another task")) {
                    opened.signal()
                    try? await Task.sleep(nanoseconds: 60_000_000_000)
                }
            }
            opened.wait()
            test.wait(for: [never], timeout: 0.01)
        }
        Row(
            "3: a wait of an async test that times out is a flake of any section that its attempt has open",
            [.flaked("of a child task"), .failed],
            failures: [waitedInVain]
        )
        .xctest { test in
            let never = test.expectation(description: "never")
            let opened = Gate()
            let shared = Shared(test: test)
            async let _: Void = shared.test.flaky(.fixable(reason: "of a child task")) {
                opened.open()
                try? await Task.sleep(nanoseconds: 60_000_000_000)
            }
            await opened.wait()
            await test.fulfillment(of: [never], timeout: 0.01)
        }
        Row(
            "3: a failure on a thread without a task is a flake of any section that its attempt has open",
            [.flaked("of a queue"), .failed],
            failures: [.recorded("in the test itself")]
        )
        .xctest { test in
            let (opened, proceed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let shared = Shared(test: test)
            let queue = DispatchQueue(label: "other")
            queue.async {
                shared.test.flaky(.fixable(reason: "of a queue")) {
                    opened.signal()
                    proceed.wait()
                }
            }
            opened.wait()
            XCTFail("in the test itself")
            proceed.signal()
            queue.sync {}
        }
        Row("3: a failure recorded on the test run itself, inside a section, is a flake", [.flaked, .passed])
            .xctest { test in test.flaky(.race) { if test.retryCount == 0 { test.recordOnRun() } } }
        Row(
            "3: a failure recorded on the test run itself, outside of sections, is real",
            [.failed],
            failures: ["on the run"]
        )
        .xctest { test in
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
            test.recordOnRun()
        }
        Row(
            "3: a failure after its test, in a task that a section left running, fails the run",
            failures: [.recorded("left behind by a section")]
        )
        .testing("LeavesTaskBehind")
        Row(
            "3: a failure in a task that a retry left running fails the retry that had passed",
            [.flaked, .failed],
            failures: [.recorded("left behind by a retry")]
        )
        .testing("RetryLeavesTaskBehind")

        Row("4: a failure after a section has returned or thrown is real", failures: [.recorded("after the sections")])
            .both { test in
                test.flaky(.fixable(reason: "returns")) {}
                try? test.flaky(.fixable(reason: "throws")) { throw Boom() }
                test.fail("after the sections")
            }
        Row(
            "4: a failure after a section has been cancelled is real",
            failures: [.recorded("after a section that was cancelled")]
        )
        .both { test in
            let task = Task {
                try await test.flaky(.race) { try await Task.sleep(nanoseconds: 60_000_000_000) }
            }
            task.cancel()
            _ = await task.result
            test.fail("after a section that was cancelled")
        }
        Row("4: a failure in tearDown is real", failures: [.recorded("in tearDown")])
            .xctest { test in
                test.flaky(.fixable(reason: "passes")) {}
            } tearDown: { _ in
                XCTFail("in tearDown")
            }
        Row(
            "4: a failure in a teardown block is real, even if a section added the block",
            failures: [.recorded("in a teardown block")]
        )
        .xctest { test in
            test.flaky(.fixable(reason: "passes")) {
                test.addTeardownBlock { XCTFail("in a teardown block") }
            }
        }
        Row(
            "4: after a flake in setUp, or in a suite's init, the test's body does not run before the retry",
            [.flaked("slow to start"), .passed],
            printed: ["body of attempt 2"]
        )
        .xctest(setUp: { test in
            try test.flaky(.fixable(reason: "slow to start")) { if test.retryCount == 0 { throw Boom() } }
        }) { test in
            print("body of attempt \(test.retryCount + 1)")
        } expecting: { run in
            #expect(
                run.errorOutput.contains { $0.contains("RowTest.test: flaked") && $0.contains("retry 1 of 1 follows") }
            )
        }
        .testing("FlakyInit")
        Row(
            "4: a flake in tearDown does not show as a skip, but as a line on standard error",
            [.flakedLate("slow to stop"), .passed]
        )
        .xctest { _ in
        } tearDown: { test in
            test.flaky(.fixable(reason: "slow to stop")) { XCTAssertGreaterThan(test.retryCount, 0) }
        } expecting: { run in
            #expect(
                run.errorOutput.contains {
                    $0.contains("RowTest.test: flaked") && $0.contains("retry 1 of 1 follows")
                }
            )
        }
        Row(
            "4: a failure in a section that is still open after its attempt has ended is real",
            failures: [.recorded("late")]
        )
        .testing("LateFailures")
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    @Test("4: a failure in a section of an earlier test is real, also where the current test has a section open")
    func earlierSection() async throws {
        let run = try await run(SectionLeftBehind.self, expecting: .failure)
        #expect(run.cases == ["SectionLeftBehind.test1 passed", "SectionLeftBehind.test2 failed"])
        #expect(run.report.tests.isEmpty)
    }

    private static let waitedInVain: Row.Failure =
        "Asynchronous wait failed - Exceeded timeout of 0.01 seconds, with unfulfilled expectations: never"
}

/// Runs a body on a queue, while this thread waits.
private func waitForQueue(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "other").async {
        body()
        done.signal()
    }
    done.wait()
}

extension XCTestCase {
    fileprivate func recordOnRun() {
        let run = testRun as? XCTestCaseRun
        run?.recordFailure(withDescription: "on the run", inFile: #filePath, atLine: #line, expected: true)
    }
}

// MARK: - Classes and suites of their own

/// Fails in the first test's section, on a queue, while the second one is in a section of its own.
final class SectionLeftBehind: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test1", test1), ("test2", test2)])] }
    private static let (opened, failed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    func test1() {
        let shared = Shared(test: self)
        DispatchQueue(label: "other").async {
            shared.test.flaky(.race) {
                Self.opened.wait()
                XCTFail("late")
            }
            Self.failed.signal()
        }
    }

    func test2() {
        flaky(.race) {
            guard retryCount == 0 else { return }
            Self.opened.signal()
            Self.failed.wait()
        }
    }
}

/// Listed as Swift Build lists it, with XCTest's own function: outside of the class nothing else has its name.
private func list(_ method: @escaping (ListedByHand) -> () async -> Void) -> (ListedByHand) -> () throws -> Void {
    asyncTest(method)
}

final class ListedByHand: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test", list(test))])] }

    func test() async {
        let expectation = expectation(description: "never")
        if retryCount > 0 { expectation.fulfill() }
        await flaky(.race) {
            await fulfillment(of: [expectation], timeout: 0.01)
        }
    }
}

@MainActor
final class OnMainActor: RetryableTestCase, Program {
    nonisolated static var entries: [XCTestCaseEntry] {
        [testCase([("test", mainActorTest { (test: OnMainActor) in try await test.test() })])]
    }

    func test() async throws {
        var count = 0
        let result = try await flaky(.race) {
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            count += 1
            return try XCTUnwrap(retryCount == 0 ? nil : "value")
        }
        XCTAssertEqual(result, "value")
        XCTAssertEqual(count, 1)
    }
}

#if PROGRAM
    @Suite(.retryable) @MainActor struct OnTheMainActor {
        @Test func staysThere() async throws {
            var count = 0
            let value = try await flaky(.race) {
                MainActor.assertIsolated()
                await Task.yield()
                MainActor.assertIsolated()
                count += 1
                return try #require(Test.retryCount == 0 ? nil : "value")
            }
            // A section that does not suspend needs no `await` in an async test.
            flaky(.race) { count += 1 }
            flaky(.fixable(reason: "a race"), #expect(count == 2))
            #expect(value == "value")
        }
    }

    @Suite(.retryable) struct FlakyInit {
        init() throws {
            try flaky(.fixable(reason: "slow to start")) { if Test.retryCount == 0 { throw Boom() } }
        }

        @Test func test() { print("body of attempt \(Test.retryCount + 1)") }
    }

    /// Opens a gate when all attempts of a test have ended.
    private func opens(_ gate: Gate) -> Around {
        Around { test in
            try await test()
            gate.open()
        }
    }

    @Suite struct LateFailures {
        private static let (ended, opened, passed) = (Gate(), Gate(), Gate())

        /// Ends while a section of it is open still, in a task that it does not wait for.
        @Test(opens(Self.ended), .retryable) func late() async {
            await withCheckedContinuation { opened in
                Task {
                    await flaky(.race) {
                        opened.resume()
                        await Self.opened.wait()
                        Issue.record("late")
                        Self.passed.open()
                    }
                }
            }
        }

        /// Keeps the process alive until the failure has come.
        @Test func waits() async {
            await Self.ended.wait()
            Self.opened.open()
            await Self.passed.wait()
        }
    }

    @Suite struct LeavesTaskBehind {
        private static let (ended, failed) = (Gate(), Gate())

        /// Leaves a task of its section behind, which fails when the test has ended.
        @Test(opens(Self.ended), .retryable) func leaves() {
            flaky(.race) {
                _ = Task {
                    await Self.ended.wait()
                    Issue.record("left behind by a section")
                    Self.failed.open()
                }
            }
        }

        @Test func waits() async { await Self.failed.wait() }
    }

    @Suite struct RetryLeavesTaskBehind {
        private static let (ended, failed) = (Gate(), Gate())

        @Test(opens(Self.ended), .retryable) func leaves() {
            flaky(.race) { #expect(Test.retryCount > 0) }
            guard Test.retryCount > 0 else { return }
            Task {
                await Self.ended.wait()
                Issue.record("left behind by a retry")
                Self.failed.open()
            }
        }

        @Test func waits() async { await Self.failed.wait() }
    }
#endif
