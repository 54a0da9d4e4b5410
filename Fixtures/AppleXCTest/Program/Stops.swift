import Retryable

/// Stops at its flake, in a section that cannot throw: only XCTest's own means can do that.
final class Stops: SyncTest {
    override func setUp() { continueAfterFailure = false }

    override func test() {
        flaky(.fixable(reason: "a race")) {
            XCTAssertTrue(retryCount > 0, "the flake")
            print("in the section of attempt \(retryCount + 1)")
        }
        print("after the section of attempt \(retryCount + 1)")
    }

    override func tearDown() { print("torn down") }
}

/// Stops at its flake where XCTest has no exception to stop it with: it suspends.
final class StopsInTask: AsyncTest {
    override func setUp() { continueAfterFailure = false }

    override func test() async throws {
        await Task.yield()
        try flaky(.fixable(reason: "a race")) {
            if retryCount == 0 { try Self.fail() }
        }
        print("after the section of attempt \(retryCount + 1)")
    }

    /// Fails and goes on, as an assertion does; could throw.
    private static func fail() throws { XCTFail("the flake") }
}

/// Suspends, should stop, and fails where the run's settings allow no flake: that is XCTest's affair, too.
final class RefusedInTask: AsyncTest {
    override func setUp() { continueAfterFailure = false }

    override func test() async throws {
        await Task.yield()
        try flaky(.fixable(reason: "a race")) { try Self.fail() }
        print("goes on after failures: \(continueAfterFailure)")
    }

    private static func fail() throws { XCTFail("refused") }
}

/// Suspends, should stop, and flakes in a section that cannot throw: nothing can stop it.
final class CannotStop: AsyncTest {
    override func setUp() { continueAfterFailure = false }

    override func test() async {
        await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            XCTAssertTrue(retryCount > 0, "the flake")
        }
        XCTAssertTrue(retryCount > 0, "what follows from it")
        print("went on in attempt \(retryCount + 1)")
    }
}

/// Suspends, should stop, and fails for real: that is XCTest's affair.
final class FailsInTask: AsyncTest {
    override func setUp() { continueAfterFailure = false }

    override func test() async throws {
        try flaky(.fixable(reason: "a race")) { try Task.checkCancellation() }
        await Task.yield()
        XCTFail("outside")
        print("goes on after failures: \(continueAfterFailure)")
    }
}

final class StopsOnReal: SyncTest {
    override func setUp() { continueAfterFailure = false }

    override func test() {
        flaky(.fixable(reason: "a race")) {}
        XCTFail("outside")
        print("not reached")
    }
}

/// Runs after a test whose section was left without being undone, and must not be taken for a part of it.
final class AfterStop: RetryableTestCase {
    override class var testMethods: TestMethods {
        [
            ("testFails", .sync(AfterStop.testFails)),
            ("testFlakes", .sync(AfterStop.testFlakes)),
            ("testIsCalledWithCompletionHandler:", .async(AfterStop.testIsCalled)),
        ]
    }

    func testFails() { XCTFail("outside any section") }

    func testFlakes() {
        flaky(.fixable(reason: "another race")) { XCTAssertTrue(retryCount > 0) }
    }

    /// Fails on the main thread, in no task, while the section is open in a task.
    func testIsCalled() async {
        let isFirst = retryCount == 0
        await flaky(.fixable(reason: "a callback")) {
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async {
                    if isFirst { XCTFail("called back") }
                    continuation.resume()
                }
            }
        }
    }
}

// MARK: - Elements

/// Taps what is not there, in a section: XCTest records that in the test's run alone.
class Taps: SyncTest {
    override func test() {
        flaky(.fixable(reason: "the button comes late")) {
            if retryCount == 0 { tap() }
            print("in the section of attempt \(retryCount + 1)")
        }
        print("after the section of attempt \(retryCount + 1)")
    }

    func tap() {
        MainActor.assumeIsolated { XCUIElement().tap() }
    }
}

/// The same, and stops where XCTest stops it.
final class TapsAndStops: Taps {
    override func setUp() { continueAfterFailure = false }
}

final class TapsOutside: Taps {
    override func test() {
        flaky(.fixable(reason: "not this part")) {}
        tap()
    }
}
