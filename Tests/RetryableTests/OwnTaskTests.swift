@testable import Retryable

/// Run by `swift test`, which calls the tests as SwiftPM lists them.
final class OwnTaskTests: RetryableTestCase {
    func testIsKnownWhereTheMethodSuspends() async {
        await flaky(.fixable(reason: "never flakes")) {
            let sections = await sectionsOnQueue()
            XCTAssertEqual(sections, 1)
        }
        nonisolated(unsafe) let test = self
        async let besides = test.inSectionOfChildTask()
        let sections = await besides
        XCTAssertEqual(sections, 0)
    }

    private func inSectionOfChildTask() async -> Int? {
        await flaky(.fixable(reason: "never flakes")) { await sectionsOnQueue() }
    }

    /// The sections that a failure on a queue would be inside of.
    private func sectionsOnQueue() async -> Int? {
        let attempt = attempt
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: attempt?.sectionsHere.count) }
        }
    }
}
