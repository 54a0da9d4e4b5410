import Dispatch
import Retryable

extension Scenario {
    static var places: [Scenario] {
        [
            Scenario("child task", testCase([("test", InChildTask.asyncTest(InChildTask.test))])),
            Scenario("detached task", testCase([("test", InDetachedTask.asyncTest(InDetachedTask.test))])),
            Scenario("task of no section", testCase([("test", InTaskOfNoSection.asyncTest(InTaskOfNoSection.test))])),
            Scenario("dispatch queue", testCase([("test", OnQueue.test)])),
            Scenario("waiter", testCase([("test", InWaiter.test)])),
            Scenario("waiter in async test", testCase([("test", InAsyncWaiter.asyncTest(InAsyncWaiter.test))])),
            Scenario("section of a task, beside a waiter", testCase([("test", BesideWaiter.test)])),
            Scenario(
                "section of a child task, beside a waiter",
                testCase([("test", BesideAsyncWaiter.asyncTest(BesideAsyncWaiter.test))])
            ),
            Scenario("section of a queue, beside the test", testCase([("test", BesideQueue.test)])),
            Scenario("section on a queue", testCase([("test", SectionOnQueue.test)])),
            Scenario("many threads", testCase([("test", OnManyThreads.test)])),
            Scenario("main actor", testCase([("test", OnMainActor.onMainActor)])),
            Scenario("after the section", testCase([("test", AfterSection.test)])),
            Scenario("task outlives section", testCase([("test", TaskOutlives.asyncTest(TaskOutlives.test))])),
            Scenario("cancelled", testCase([("test", Cancelled.asyncTest(Cancelled.test))])),
            Scenario("tearDown", testCase([("test", InTearDown.test)])),
            Scenario("teardown block", testCase([("test", InTeardownBlock.test)])),
            Scenario("section in setUp", testCase([("test", SectionInSetUp.test)])),
            Scenario("section in tearDown", testCase([("test", SectionInTearDown.test)])),
            Scenario("throwing setUp", testCase([("test", ThrowingSetUp.test)])),
        ]
    }
}

final class InChildTask: RetryableTestCase {
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

final class InDetachedTask: RetryableTestCase {
    func test() async {
        await flaky(.fixable(reason: "a race")) {
            await Task.detached { XCTFail("in a detached task") }.value
        }
    }
}

final class InTaskOfNoSection: RetryableTestCase {
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

final class OnQueue: RetryableTestCase {
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

final class InWaiter: RetryableTestCase {
    func test() {
        flaky(.fixable(reason: "a race")) {
            let expectation = expectation(description: "never")
            if retryCount > 0 { expectation.fulfill() }
            wait(for: [expectation], timeout: 0.01)
        }
    }
}

final class InAsyncWaiter: RetryableTestCase {
    func test() async {
        let expectation = expectation(description: "never")
        if retryCount > 0 { expectation.fulfill() }
        await flaky(.fixable(reason: "a race")) {
            await fulfillment(of: [expectation], timeout: 0.01)
        }
    }
}

/// The test itself has no section open when it waits in vain.
final class BesideWaiter: RetryableTestCase {
    func test() {
        let never = expectation(description: "never")
        let opened = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let test = self
        Task {
            await test.flaky(.fixable(reason: "of another task")) {
                opened.signal()
                try? await Task.sleep(nanoseconds: 60_000_000_000)
            }
        }
        opened.wait()
        wait(for: [never], timeout: 0.01)
    }
}

final class BesideAsyncWaiter: RetryableTestCase {
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

final class BesideQueue: RetryableTestCase {
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

final class SectionOnQueue: RetryableTestCase {
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

final class OnManyThreads: RetryableTestCase {
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
final class OnMainActor: RetryableTestCase {
    /// What `asyncTest(test)` is for a class on the main actor, which has to be shared with the task that it makes.
    nonisolated static func onMainActor(_ test: OnMainActor) -> () throws -> Void {
        nonisolated(unsafe) let test = test
        return OnMainActor.asyncTest { (_: OnMainActor) in { try await test.test() } }(test)
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

final class AfterSection: RetryableTestCase {
    func test() throws {
        flaky(.fixable(reason: "returns")) {}
        do { try flaky(.fixable(reason: "throws")) { throw Boom() } } catch {}
        XCTFail("after the sections")
    }
}

final class TaskOutlives: RetryableTestCase {
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

final class Cancelled: RetryableTestCase {
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

final class InTearDown: RetryableTestCase {
    func test() {
        flaky(.fixable(reason: "passes")) {}
    }

    override func tearDown() { XCTFail("in tearDown") }
}

final class InTeardownBlock: RetryableTestCase {
    func test() {
        flaky(.fixable(reason: "passes")) {
            addTeardownBlock { XCTFail("in a teardown block") }
        }
    }
}

final class SectionInSetUp: RetryableTestCase {
    override func setUpWithError() throws {
        try flaky(.fixable(reason: "slow to start")) {
            if retryCount == 0 { throw Boom() }
        }
    }

    func test() { print("body of attempt \(retryCount + 1)") }
}

final class SectionInTearDown: RetryableTestCase {
    func test() {}

    override func tearDown() {
        flaky(.fixable(reason: "slow to stop")) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

final class ThrowingSetUp: RetryableTestCase {
    override func setUpWithError() throws { throw Boom() }

    func test() {
        flaky(.fixable(reason: "not reached")) { XCTFail("reached") }
    }
}
