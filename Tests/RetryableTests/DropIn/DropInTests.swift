import Retryable

// What compiles with `XCTestCase` compiles with `RetryableTestCase`, in both language modes and without a warning: this
// file is part of two test targets, one in each mode.

@MainActor
final class DropInOnMainActor: RetryableTestCase {
    private var count = 0

    override func setUp() async throws { count = 1 }
    override func tearDown() async throws { count = 0 }

    func testSetsUpOnTheMainActor() async throws {
        let doubled = await flaky(.fixable(reason: "never flakes")) {
            await Task.yield()
            return count * 2
        }
        XCTAssertEqual(doubled, 2)
    }
}

@MainActor
final class DropInOverrides: RetryableTestCase {
    override class func setUp() { super.setUp() }
    override func setUp() { super.setUp() }
    override func setUpWithError() throws { try super.setUpWithError() }
    override func tearDown() { super.tearDown() }
    override func invokeTest() { super.invokeTest() }
    override func perform(_ run: XCTestRun) { super.perform(run) }

    // A synchronous test on the main actor is more than SwiftPM can list on Linux, with XCTestCase as well.
    nonisolated func testRunsWhatItOverrides() { XCTAssertEqual(retryCount, 0) }
}

final class DropInMixed: RetryableTestCase {
    @MainActor override func setUp() async throws {}
    nonisolated override func tearDown() {}

    func testWaits() async {
        let expectation = expectation(description: "fulfilled")
        expectation.fulfill()
        await fulfillment(of: [expectation], timeout: 1)
    }

    func testTakesEveryForm() throws {
        flaky(.fixable(reason: "never flakes")) { XCTAssertTrue(true) }
        flaky(.fixable(reason: "never flakes"), XCTAssertTrue(true))
        let three = try flaky(.fixable(reason: "never flakes"), try XCTUnwrap(Optional(3)))
        let four = try flaky(.notFixable(reason: "never flakes")) { try XCTUnwrap(Optional(4)) }
        let five: Int = flaky(.notFixable(reason: "never flakes", maxRetryCount: 2)) { 5 }
        flaky(.fixable(reason: "never flakes", matching: "late", until: "2999-12-31")) {}
        flaky(.notFixable(reason: "never flakes", maxRetryCount: 2, matching: "late", until: "2999-12-31")) {}
        flaky(.notFixable(reason: "never flakes", until: "2999-12-31")) {}
        XCTAssertEqual([three, four, five], [3, 4, 5])
    }

    func testTakesEveryFormWhereItSuspends() async throws {
        flaky(.fixable(reason: "never flakes")) { XCTAssertTrue(true) }
        flaky(.fixable(reason: "never flakes"), XCTAssertTrue(true))
        var count = 0
        await flaky(.fixable(reason: "never flakes")) {
            await Task.yield()
            count += 1
        }
        let result = try await flaky(.fixable(reason: "never flakes")) {
            await Task.yield()
            return try XCTUnwrap(Optional(NotSendable()))
        }
        XCTAssertEqual(result.value + count, 2)
    }
}

private final class NotSendable {
    var value = 1
}

class DropInBase: RetryableTestCase {
    func testIsInherited() { XCTAssertEqual(retryCount, 0) }
}

final class DropInSpecial: DropInBase {
    override func testIsInherited() { super.testIsInherited() }
}
