import InXcode
import Retryable

/// Tests that flake in every way that there is, and recover.
final class Recovering: RetryableTestCase {
    override class func setUp() {
        printSession(of: self)
    }

    func testAssertion() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0, "too early") }
    }

    func testTwice() {
        flaky(.notFixable(reason: "two races", maxRetryCount: 2)) { XCTAssertEqual(retryCount, 2) }
    }

    func testThrown() throws {
        try flaky(.fixable(reason: "an error")) {
            if retryCount == 0 { throw Flake() }
        }
    }

    func testSuspends() async throws {
        try await flaky(.fixable(reason: "a suspension")) {
            await Task.yield()
            if retryCount == 0 { throw Flake() }
        }
    }

    func testOnAQueue() {
        let isFirst = retryCount == 0
        flaky(.fixable(reason: "a callback")) {
            let called = expectation(description: "called back")
            DispatchQueue.global().async {
                if isFirst { XCTFail("called back on a queue") }
                called.fulfill()
            }
            wait(for: [called], timeout: 10)
        }
    }

    #if canImport(ObjectiveC)
        /// Failures of XCUIElement do not pass through the test case: they are recorded by its run alone.
        func testRecordedByTheRun() {
            flaky(.fixable(reason: "an element")) {
                guard retryCount == 0 else { return }
                testRun?.record(XCTIssue(type: .assertionFailure, compactDescription: "as an element fails"))
            }
        }
    #endif
}
