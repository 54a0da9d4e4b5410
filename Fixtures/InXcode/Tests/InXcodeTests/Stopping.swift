import Retryable

/// Tests that a flake stops, because they ask for it. What they check behind the section fails if it is reached too early.
final class Stopping: RetryableTestCase {
    override class func setUp() {
        printSession(of: self)
    }

    override func setUp() {
        continueAfterFailure = false
    }

    func testStops() {
        flaky(.fixable(reason: "a race")) {
            XCTAssertGreaterThan(retryCount, 0, "too early")
            print("InXcode: \(name) is still in its section")
        }
        XCTAssertGreaterThan(retryCount, 0, "it went on after its flake")
    }

    func testStopsWhereItSuspends() async throws {
        try await flaky(.fixable(reason: "a race")) {
            try await Task.sleep(nanoseconds: 1_000_000)
            XCTAssertGreaterThan(retryCount, 0, "too early")
        }
        XCTAssertGreaterThan(retryCount, 0, "it went on after its flake")
    }
}
