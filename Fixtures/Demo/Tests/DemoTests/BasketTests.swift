import RetryableTesting
import Shop
import Testing

/// The same marks in Swift Testing.
@Suite(.retryable) struct BasketTests {
    @Test func findsShoes() async throws {
        let found = await Shop.shared.search("shoes")

        try flaky(.fixable(reason: "the index is still being built")) {
            let first = try #require(found.first)
            #expect(first == "red shoes")
        }
    }

    /// A whole test that is flaky; each of its cases is retried for itself.
    @Test(.flaky(.notFixable(reason: "the sandbox store drops requests", maxRetryCount: 2)), arguments: [1_200])
    func pays(amount: Int) async throws {
        #expect(try await Shop.shared.pay(amount).amount == amount)
    }
}
