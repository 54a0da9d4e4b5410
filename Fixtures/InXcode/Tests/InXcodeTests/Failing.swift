import Retryable

/// Tests that fail, each for a reason of its own.
final class Failing: RetryableTestCase {
    func testAlwaysFlakes() {
        flaky(.fixable(reason: "no race")) { XCTFail("on attempt \(retryCount + 1)") }
    }

    func testFailsOutside() {
        flaky(.fixable(reason: "not this part")) {}
        XCTFail("outside of the section")
    }
}
