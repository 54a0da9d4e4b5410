import Retryable

final class Async: RetryableTestCase {
    override class var testMethods: [(selector: String, method: TestMethod)] {
        [("testWithCompletionHandler:", .async(Async.test))]
    }

    func test() async throws {
        try await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            if retryCount == 0 { throw Boom() }
        }
        print("reached in attempt \(retryCount + 1)")
    }
}

final class Throws: RetryableTestCase {
    override class var testMethods: [(selector: String, method: TestMethod)] {
        [("testAndReturnError:", .sync(Throws.test))]
    }

    func test() throws {
        try flaky(.fixable(reason: "a race")) {
            if retryCount == 0 { throw Boom() }
        }
    }
}

final class ThrowsOutside: RetryableTestCase {
    override class var testMethods: [(selector: String, method: TestMethod)] {
        [("testAndReturnError:", .sync(ThrowsOutside.test))]
    }

    func test() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
        throw Boom()
    }
}

final class Unwraps: RetryableTestCase {
    override class var testMethods: [(selector: String, method: TestMethod)] {
        [("testAndReturnError:", .sync(Unwraps.test))]
    }

    func test() throws {
        _ = try flaky(.fixable(reason: "a race")) { try XCTUnwrap(retryCount == 0 ? nil : 1) }
    }
}

/// Dies twice of one error, which XCTUnwrap records once.
final class SharesUnwrap: RetryableTestCase {
    override class var testMethods: [(selector: String, method: TestMethod)] {
        [("testAndReturnError:", .sync(SharesUnwrap.test))]
    }

    private static let fixture = Result { try XCTUnwrap(Int?.none) }

    func test() throws {
        let value = try flaky(.fixable(reason: "slow")) { try Self.fixture.get() }
        XCTAssertTrue(value == 1)
    }
}

final class Unwaited: RetryableTestCase {
    override class var testMethods: [(selector: String, method: TestMethod)] {
        [
            ("testCutAndReturnError:", .sync(Unwaited.testCut)),
            ("testUnwrapAndReturnError:", .sync(Unwaited.testUnwrap)),
            ("testNotCut", .sync(Unwaited.testNotCut)),
        ]
    }

    func testCut() throws {
        guard retryCount == 0 else { return }
        _ = expectation(description: "cut off")
        try flaky(.fixable(reason: "a race")) { throw Boom() }
    }

    func testUnwrap() throws {
        guard retryCount == 0 else { return }
        _ = expectation(description: "cut off")
        _ = try flaky(.fixable(reason: "a race")) { try XCTUnwrap(Int?.none) }
    }

    func testNotCut() {
        guard retryCount == 0 else { return }
        _ = expectation(description: "forgotten")
        flaky(.fixable(reason: "a race")) { XCTFail("the flake") }
    }
}
