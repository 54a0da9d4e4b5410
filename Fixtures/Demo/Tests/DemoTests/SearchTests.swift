import Retryable
import Shop

/// One flake in a test that waits for something.
final class SearchTests: RetryableTestCase {
    func testFindsShoes() async throws {
        try await flaky(.fixable(reason: "the index is still being built")) {
            let found = await Shop.shared.search("shoes")
            let first = try XCTUnwrap(found.first, "nothing was found")
            XCTAssertEqual(first, "red shoes")
        }
    }
}
