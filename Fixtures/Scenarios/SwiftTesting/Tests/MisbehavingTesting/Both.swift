import Retryable
import RetryableTesting
import Testing

// One flake for each framework.

final class BothXCTest: RetryableTestCase {
    func testFlakes() {
        flaky(.fixable(reason: "a race in XCTest")) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

@Suite(.retryable) struct BothTesting {
    @Test func flakes() {
        flaky(.fixable(reason: "a race in Swift Testing")) { #expect(retryCount > 0) }
    }
}
