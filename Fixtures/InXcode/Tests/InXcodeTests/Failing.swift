import Retryable

/// Tests that fail, each for a reason of its own.
final class Failing: RetryableTestCase {
    func testAlwaysFlakes() {
        flaky(.fixable(reason: "no race")) { XCTFail("on attempt \(retryCount + 1)") }
    }

    private static let fixture = Result { try XCTUnwrap(Int?.none) }

    /// `XCTUnwrap` records its failure once, in the first attempt; the second dies of the same error.
    func testDiesOfAnOldError() throws {
        let value = try flaky(.fixable(reason: "slow")) { try Self.fixture.get() }
        XCTAssertEqual(value, 1)
    }

    func testFailsOutside() {
        flaky(.fixable(reason: "not this part")) {}
        XCTFail("outside of the section")
    }
}
