import Retryable
import Shop

/// One flake that is out of our hands: it is retried as often as its mark allows.
final class CheckoutTests: RetryableTestCase {
    func testPays() async throws {
        let receipt = try await flaky(.notFixable(reason: "the sandbox store drops requests", maxRetryCount: 2)) {
            try await Shop.shared.pay(1_200)
        }

        XCTAssertEqual(receipt.amount, 1_200)
    }
}
