import AutomationTesting
import Retryable

/// The first and only test of its process, whose launch fails in a function that knows nothing of the test.
enum FirstTest {
    static var entries: [String: XCTestCaseEntry] {
        [
            "flaking": (FlakingLaunch.self, [("test", { try ($0 as? FlakingLaunch)?.test() })]),
            "failing": (FailingLaunch.self, [("test", { _ in try launch() })]),
        ]
    }

    static func launch() throws { _ = try launchApp("Nobody", until: nil) }
}

final class FlakingLaunch: RetryableTestCase {
    func test() throws {
        try flaky(.fixable(reason: "a slow launch")) { if retryCount == 0 { try FirstTest.launch() } }
    }
}

final class FailingLaunch: XCTestCase {}
