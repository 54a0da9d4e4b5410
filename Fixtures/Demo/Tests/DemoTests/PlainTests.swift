import XCTest

/// Tests on `XCTestCase` stay as they are, beside the others.
final class PlainTests: XCTestCase {
    func testCounts() {
        XCTAssertEqual([1, 2, 3].count, 3)
    }
}
