import Dispatch
import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a failure becomes on threads and in tasks, and after a section")
struct PlaceTests {
    @Test(arguments: [
        Row("3: a failure on a queue is a flake", OnQueue.self, flakes: ["a race (fixable)"], [.flaked, .passed]),
        Row("3: so is a waiter's", InWaiter.self, flakes: ["a race (fixable)"], [.flaked, .passed]),
        Row("3: and in an async test", InAsyncWaiter.self, flakes: ["a race (fixable)"], [.flaked, .passed]),
        Row(
            "3: failures in tasks of the section are flakes",
            InChildTask.self,
            "Tasks/childTask",
            flakes: ["a race (fixable)", "a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "3: failures in a section of another thread are flakes",
            SectionOnQueue.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "3: sections run on the caller's actor, and need no await if they do not suspend",
            OnMainActor.self,
            "OnTheMainActor",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "3: of 200 failures none is lost",
            OnManyThreads.self,
            "Tasks/manyFailures",
            flakes: Array(repeating: "a race (fixable)", count: 200),
            [.flaked, .passed]
        ),
        Row(
            "3: a failure in a detached task is real",
            InDetachedTask.self,
            "Tasks/detachedTask",
            errors: ["failed - in a detached task"],
            issues: ["Issue recorded: in a detached task"]
        ),
        Row("3: a failure on a thread is real", nil, "Tasks/thread", issues: ["Issue recorded: on a thread"]),
        Row(
            "3: a failure in a task of no section is real, while a section is open",
            InTaskOfNoSection.self,
            "Tasks/taskOfNoSection",
            errors: ["failed - in a task of no section"],
            issues: ["Issue recorded: in a task of no section"]
        ),
        Row(
            "3: so it is in a task that outlives its section",
            TaskOutlives.self,
            "Tasks/taskOutlives",
            errors: ["failed - after its section"],
            issues: ["Issue recorded: after its section"]
        ),
        Row(
            "3: so is one of an async test that is listed by hand",
            ListedByHand.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "3: a waiter's failure, which comes on no task, is inside of all that the attempt has open",
            BesideWaiter.self,
            flakes: ["of another task (fixable)"],
            errors: [
                "Asynchronous wait failed - Exceeded timeout of 0.01 seconds, with unfulfilled expectations: never"
            ],
            [.flaked, .failed]
        ),
        Row(
            "3: so it is in an async test, beside a section of a child task",
            BesideAsyncWaiter.self,
            flakes: ["of a child task (fixable)"],
            errors: [
                "Asynchronous wait failed - Exceeded timeout of 0.01 seconds, with unfulfilled expectations: never"
            ],
            [.flaked, .failed]
        ),
        Row(
            "3: and so is a synchronous test's own failure, beside a section of a queue",
            BesideQueue.self,
            flakes: ["of a queue (fixable)"],
            errors: ["failed - in the test itself"],
            [.flaked, .failed]
        ),
        Row(
            "3: a failure recorded straight on the run is judged: inside a section",
            RecordsOnRun.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "3: and outside of one, where it beats a flake",
            RecordsOnRunOutside.self,
            errors: ["on the run"],
            [.failed]
        ),
        Row(
            "3: a task that a section leaves behind fails the run, when its test has ended, too",
            nil,
            "LeavesTaskBehind",
            issues: ["Issue recorded: left behind by a section"]
        ),
        Row(
            "4: a section is closed when it returns or throws",
            AfterSection.self,
            "Tasks/afterSections",
            errors: ["failed - after the sections"],
            issues: ["Issue recorded: after the sections"]
        ),
        Row(
            "4: a section is closed when it is cancelled",
            Cancelled.self,
            "Tasks/afterCancelledSection",
            errors: ["failed - after a section that was cancelled"],
            issues: ["Issue recorded: after a section that was cancelled"]
        ),
        Row("4: so it is in tearDown", InTearDown.self, errors: ["failed - in tearDown"]),
        Row("4: and in teardown blocks", InTeardownBlock.self, errors: ["failed - in a teardown block"]),
        Row(
            "4: a section in setUp, or in a suite's init, works like any other",
            SectionInSetUp.self,
            "FlakyInit",
            flakes: ["slow to start (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "4: a section that is open still when its attempt has ended holds nothing back",
            nil,
            "LateFailures",
            issues: ["Issue recorded: late"]
        ),
    ]) func row(row: Row) async throws { try await row.check() }

    @Test("3: of 200 failures on many threads none is lost")
    func manyFailures() async throws {
        let run = try await run(OnManyThreads.self)
        #expect(run.report.retries.first?.attempts.first?.failures.count == 200)
    }

    @Test("4: a flake in setUp skips the method, and shows on standard error")
    func setUp() async throws {
        let run = try await run(SectionInSetUp.self)
        #expect(run.printed == ["body of attempt 2"])
        #expect(
            run.errorOutput.contains {
                $0.contains("SectionInSetUp.test: flaked") && $0.contains("retry 1 of 1 follows")
            }
        )
    }

    @Test("4: a flake in tearDown comes too late to show as skipped, and is said on standard error")
    func tearDown() async throws {
        let run = try await run(SectionInTearDown.self)
        #expect(run.cases == ["SectionInTearDown.test passed", "SectionInTearDown.test passed"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(
            run.errorOutput.contains {
                $0.contains("SectionInTearDown.test: flaked") && $0.contains("retry 1 of 1 follows")
            }
        )
    }
}

// MARK: - XCTest

final class InChildTask: RetryableTestCase, OneAsyncTest {
    func test() async {
        await flaky(.fixable(reason: "a race")) {
            let isFirst = retryCount == 0
            await withTaskGroup(of: Void.self) { group in
                group.addTask { if isFirst { XCTFail("in a child task") } }
            }
            await Task { if isFirst { XCTFail("in an unstructured task") } }.value
        }
    }
}

final class InDetachedTask: RetryableTestCase, OneAsyncTest {
    func test() async {
        await flaky(.fixable(reason: "a race")) {
            await Task.detached { XCTFail("in a detached task") }.value
        }
    }
}

final class InTaskOfNoSection: RetryableTestCase, OneAsyncTest {
    func test() async {
        let (failNow, signal) = AsyncStream.makeStream(of: Void.self)
        let other = Task {
            for await _ in failNow { XCTFail("in a task of no section") }
        }
        await flaky(.fixable(reason: "a race")) {
            signal.yield()
            signal.finish()
            await other.value
        }
    }
}

final class OnQueue: RetryableTestCase, OneTest {
    func test() {
        let isFirst = retryCount == 0
        flaky(.fixable(reason: "a race")) {
            let done = DispatchSemaphore(value: 0)
            DispatchQueue(label: "other").async {
                if isFirst { XCTFail("on a queue") }
                done.signal()
            }
            done.wait()
        }
    }
}

final class InWaiter: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race")) {
            let expectation = expectation(description: "never")
            if retryCount > 0 { expectation.fulfill() }
            wait(for: [expectation], timeout: 0.01)
        }
    }
}

final class InAsyncWaiter: RetryableTestCase, OneAsyncTest {
    func test() async {
        let expectation = expectation(description: "never")
        if retryCount > 0 { expectation.fulfill() }
        await flaky(.fixable(reason: "a race")) {
            await fulfillment(of: [expectation], timeout: 0.01)
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
        await flaky(.fixable(reason: "a race")) {
            await fulfillment(of: [expectation], timeout: 0.01)
        }
    }
}

final class RecordsOnRun: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race")) { if retryCount == 0 { recordOnRun() } }
    }
}

final class RecordsOnRunOutside: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
        recordOnRun()
    }
}

extension XCTestCase {
    fileprivate func recordOnRun() {
        let run = testRun as? XCTestCaseRun
        run?.recordFailure(withDescription: "on the run", inFile: #filePath, atLine: #line, expected: true)
    }
}

/// The test itself has no section open when it waits in vain.
final class BesideWaiter: RetryableTestCase, OneTest {
    func test() {
        let never = expectation(description: "never")
        let opened = DispatchSemaphore(value: 0)
        let shared = Shared(test: self)
        Task {
            await shared.test.flaky(.fixable(reason: "of another task")) {
                opened.signal()
                try? await Task.sleep(nanoseconds: 60_000_000_000)
            }
        }
        opened.wait()
        wait(for: [never], timeout: 0.01)
    }
}

final class BesideAsyncWaiter: RetryableTestCase, OneAsyncTest {
    func test() async {
        let never = expectation(description: "never")
        let (opened, signal) = AsyncStream.makeStream(of: Void.self)
        nonisolated(unsafe) let test = self
        async let _: Void = test.sleep { signal.finish() }
        for await _ in opened {}
        await fulfillment(of: [never], timeout: 0.01)
    }

    private func sleep(_ opened: () -> Void) async {
        await flaky(.fixable(reason: "of a child task")) {
            opened()
            try? await Task.sleep(nanoseconds: 60_000_000_000)
        }
    }
}

final class BesideQueue: RetryableTestCase, OneTest {
    func test() {
        let (opened, proceed, closed) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        nonisolated(unsafe) let test = self
        DispatchQueue(label: "other").async {
            test.flaky(.fixable(reason: "of a queue")) {
                opened.signal()
                proceed.wait()
            }
            closed.signal()
        }
        opened.wait()
        XCTFail("in the test itself")
        proceed.signal()
        closed.wait()
    }
}

final class SectionOnQueue: RetryableTestCase, OneTest {
    func test() {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let test = self
        DispatchQueue(label: "other").async {
            test.flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(test.retryCount, 0) }
            done.signal()
        }
        done.wait()
    }
}

final class OnManyThreads: RetryableTestCase, OneTest {
    func test() {
        let isFirst = retryCount == 0
        flaky(.fixable(reason: "a race")) {
            DispatchQueue.concurrentPerform(iterations: 200) { index in
                if isFirst { XCTFail("on thread \(index)") }
            }
        }
    }
}

@MainActor
final class OnMainActor: RetryableTestCase, Program {
    nonisolated static var entries: [XCTestCaseEntry] { [testCase([("test", onMainActor)])] }

    /// What `asyncTest(test)` is for a class on the main actor, which has to be shared with the task that it makes.
    private nonisolated static func onMainActor(_ test: OnMainActor) -> () throws -> Void {
        let shared = Shared(test: test)
        return asyncTest { (_: OnMainActor) in { try await shared.test.test() } }(test)
    }

    func test() async throws {
        var count = 0
        let result = try await flaky(.fixable(reason: "a race")) {
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

final class AfterSection: RetryableTestCase, OneTest {
    func test() throws {
        flaky(.fixable(reason: "returns")) {}
        do { try flaky(.fixable(reason: "throws")) { throw Boom() } } catch {}
        XCTFail("after the sections")
    }
}

final class TaskOutlives: RetryableTestCase, OneAsyncTest {
    func test() async {
        let (failNow, signal) = AsyncStream.makeStream(of: Void.self)
        let task = await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            return Task { for await _ in failNow { XCTFail("after its section") } }
        }
        signal.yield()
        signal.finish()
        await task.value
    }
}

final class Cancelled: RetryableTestCase, OneAsyncTest {
    func test() async {
        withUnsafeCurrentTask { $0?.cancel() }
        do {
            try await flaky(.fixable(reason: "a race")) { try await Task.sleep(nanoseconds: 60_000_000_000) }
        } catch {
            print("cancelled: \(error is CancellationError)")
        }
        XCTFail("after a section that was cancelled")
    }
}

final class InTearDown: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "passes")) {}
    }

    override func tearDown() { XCTFail("in tearDown") }
}

final class InTeardownBlock: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "passes")) {
            addTeardownBlock { XCTFail("in a teardown block") }
        }
    }
}

final class SectionInSetUp: RetryableTestCase, OneTest {
    override func setUpWithError() throws {
        try flaky(.fixable(reason: "slow to start")) {
            if retryCount == 0 { throw Boom() }
        }
    }

    func test() { print("body of attempt \(retryCount + 1)") }
}

final class SectionInTearDown: RetryableTestCase, OneTest {
    func test() {}

    override func tearDown() {
        flaky(.fixable(reason: "slow to stop")) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

// MARK: - Swift Testing

#if PROGRAM
    @Suite(.retryable) struct Tasks {
        @Test func childTask() async {
            await flaky(.fixable(reason: "a race")) {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { #expect(Test.retryCount > 0, "in a child task") }
                }
                await Task { #expect(Test.retryCount > 0, "in an unstructured task") }.value
            }
        }

        @Test func detachedTask() async {
            await flaky(.fixable(reason: "a race")) {
                await Task.detached { _ = Issue.record("in a detached task") }.value
            }
        }

        @Test func thread() async {
            await flaky(.fixable(reason: "a race")) {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        Issue.record("on a thread")
                        continuation.resume()
                    }
                }
            }
        }

        @Test func taskOfNoSection() async {
            let (failNow, signal) = AsyncStream.makeStream(of: Void.self)
            let other = Task {
                for await _ in failNow { Issue.record("in a task of no section") }
            }
            await flaky(.fixable(reason: "a race")) {
                signal.yield()
                signal.finish()
                await other.value
            }
        }

        @Test func taskOutlives() async {
            let (failNow, signal) = AsyncStream.makeStream(of: Void.self)
            let task = await flaky(.fixable(reason: "a race")) {
                await Task.yield()
                return Task { for await _ in failNow { Issue.record("after its section") } }
            }
            signal.yield()
            signal.finish()
            await task.value
        }

        @Test func manyFailures() async {
            await flaky(.fixable(reason: "a race")) {
                await withTaskGroup(of: Void.self) { group in
                    for number in 1...200 { group.addTask { #expect(Test.retryCount > 0, "failure \(number)") } }
                }
            }
        }

        @Test func afterSections() {
            flaky(.fixable(reason: "returns")) {}
            do { try flaky(.fixable(reason: "throws")) { throw Boom() } } catch {}
            Issue.record("after the sections")
        }

        @Test func afterCancelledSection() async {
            let task = Task {
                try await flaky(.fixable(reason: "a race")) { try await Task.sleep(nanoseconds: 60_000_000_000) }
            }
            task.cancel()
            _ = await task.result
            Issue.record("after a section that was cancelled")
        }
    }

    @Suite(.retryable) @MainActor struct OnTheMainActor {
        @Test func staysThere() async throws {
            var count = 0
            let value = try await flaky(.fixable(reason: "a race")) {
                MainActor.assertIsolated()
                await Task.yield()
                MainActor.assertIsolated()
                count += 1
                return try #require(Test.retryCount == 0 ? nil : "value")
            }
            // A section that does not suspend needs no `await` in an async test.
            flaky(.fixable(reason: "a race")) { count += 1 }
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

    @Suite struct LateFailures {
        /// Ends while a section of it is open still, in a task that it does not wait for.
        @Test(TellsOfItsEnd(), .retryable) func late() async {
            await withCheckedContinuation { opened in
                Task {
                    await flaky(.fixable(reason: "a race")) {
                        opened.resume()
                        await Gate.opened.wait()
                        Issue.record("late")
                        await Gate.passed.open()
                    }
                }
            }
        }

        /// Keeps the process alive until the failure has come.
        @Test func waits() async {
            await Gate.ended.wait()
            await Gate.opened.open()
            await Gate.passed.wait()
        }
    }

    @Suite struct LeavesTaskBehind {
        private static let ended = Gate()
        private static let failed = Gate()

        /// Leaves a task of its section behind, which fails when the test has ended.
        @Test(TellsOfItsEnd(Self.ended), .retryable) func leaves() {
            flaky(.fixable(reason: "a race")) {
                _ = Task {
                    await Self.ended.wait()
                    Issue.record("left behind by a section")
                    await Self.failed.open()
                }
            }
        }

        @Test func waits() async { await Self.failed.wait() }
    }

    /// Opens a gate when all attempts of a test have ended.
    private struct TellsOfItsEnd: TestTrait, TestScoping {
        var gate = Gate.ended

        init(_ gate: Gate = Gate.ended) { self.gate = gate }

        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await function()
            await gate.open()
        }
    }

    /// Waits until somebody else opens it.
    actor Gate {
        static let ended = Gate()
        static let opened = Gate()
        static let passed = Gate()

        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func open() {
            isOpen = true
            waiting.forEach { $0.resume() }
            waiting = []
        }

        func wait() async {
            guard !isOpen else { return }
            await withCheckedContinuation { waiting.append($0) }
        }
    }
#endif
