import Retryable

final class Recovers: RetryableTestCase {
    override class var testMethods: TestMethods {
        [("testFlakes", .sync(Recovers.testFlakes)), ("testPasses", .sync(Recovers.testPasses))]
    }

    func testFlakes() {
        flaky(.fixable(reason: "a race")) { XCTAssertTrue(retryCount > 0, "too early") }
        print("went on in attempt \(retryCount + 1)")
    }

    func testPasses() {}
}

final class Exhausted: SyncTest {
    override func test() {
        flaky(.notFixable(reason: "always", maxRetryCount: 2)) { XCTFail("attempt \(retryCount + 1)") }
    }
}

final class FailsOutside: SyncTest {
    override func test() {
        flaky(.fixable(reason: "not this part")) {}
        XCTFail("outside")
    }
}

final class FlakesThenFails: SyncTest {
    override func test() {
        flaky(.fixable(reason: "a race")) { XCTFail("inside") }
        XCTFail("outside")
    }
}

final class Warns: SyncTest {
    override func test() {
        flaky(.fixable(reason: "a race")) {
            var issue = XCTIssue(type: .assertionFailure, compactDescription: "slow")
            issue.severity = .warning
            record(issue)
        }
    }
}

final class InTearDown: SyncTest {
    override func tearDown() {
        flaky(.fixable(reason: "slow to stop")) { XCTAssertTrue(retryCount > 0) }
    }
}

final class Skips: ThrowingTest {
    override func setUp() { continueAfterFailure = false }

    override func test() throws {
        if retryCount > 0 { throw XCTSkip("not today") }
        flaky(.fixable(reason: "a race")) { XCTFail("the flake") }
    }
}

/// Expects a failure of its own, which is none of Retryable's business.
final class ExpectsFailure: SyncTest {
    override func test() {
        XCTExpectFailure("a known bug") { XCTFail("known") }
    }
}

/// Expects a failure where a flake would be suppressed: it is still none.
final class ExpectsFailureInSection: SyncTest {
    override func test() {
        flaky(.fixable(reason: "a race")) {
            XCTExpectFailure("a known bug") { XCTFail("known") }
        }
    }
}

/// Flakes, and has another failure that is expected.
final class FlakesAndExpects: SyncTest {
    override func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertTrue(retryCount > 0, "inside") }
        XCTExpectFailure("a known bug") { XCTFail("known") }
    }
}

/// Fails on a queue of its own, in no task, while the test waits in its section.
final class OnAQueue: SyncTest {
    override func test() {
        let isFirst = retryCount == 0
        flaky(.fixable(reason: "a callback")) {
            let called = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                if isFirst { XCTFail("called back") }
                called.signal()
            }
            called.wait()
        }
    }
}

/// Invokes its test at the first attempt alone.
final class RetryNotInvoked: SyncTest {
    override func invokeTest() {
        if retryCount == 0 { super.invokeTest() }
    }

    override func test() {
        flaky(.fixable(reason: "a race")) { XCTFail("the flake") }
    }
}

/// Retries a step on the spot, in a class that knows nothing of retries but steps.
final class PlainSteps: XCTestCase, TargetedAutoRetry {
    override class var testMethods: TestMethods { [("test", .sync(PlainSteps.test))] }

    func test() {
        var tries = 0
        autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 }, actionDescription: "Sign In")
    }
}

/// Fails in a step of a page object, in a class that knows nothing of retries at all.
final class PlainStepOfAPage: XCTestCase {
    override class var testMethods: TestMethods { [("test", .sync(PlainStepOfAPage.test))] }

    func test() { Page().pay() }

    struct Page: TargetedAutoRetry {
        func pay() {
            autoRetry(mainAction: {}, successCondition: { false }, retryAttempts: 0, actionDescription: "Pay")
        }
    }
}

/// Retries a step on the spot.
final class Steps: SyncTest {
    override func test() {
        var tries = 0
        autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 }, actionDescription: "Sign In")
    }
}
