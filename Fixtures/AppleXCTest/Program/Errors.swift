import Retryable

final class Async: AsyncTest {
    override func test() async throws {
        try await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            if retryCount == 0 { throw Boom() }
        }
        print("reached in attempt \(retryCount + 1)")
    }
}

final class Throws: ThrowingTest {
    override func test() throws {
        try flaky(.fixable(reason: "a race")) {
            if retryCount == 0 { throw Boom() }
        }
    }
}

final class ThrowsOutside: ThrowingTest {
    override func test() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
        throw Boom()
    }
}

final class Unwraps: ThrowingTest {
    override func test() throws {
        _ = try flaky(.fixable(reason: "a race")) { try XCTUnwrap(retryCount == 0 ? nil : 1) }
    }
}

/// Dies twice of one error, which XCTUnwrap records once.
final class SharesUnwrap: ThrowingTest {
    private static let fixture = Result { try XCTUnwrap(Int?.none) }

    override func test() throws {
        let value = try flaky(.fixable(reason: "slow")) { try Self.fixture.get() }
        XCTAssertTrue(value == 1)
    }
}

final class Unwaited: RetryableTestCase {
    override class var testMethods: TestMethods {
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
