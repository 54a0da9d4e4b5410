import AutomationTesting
import Retryable

/// The first tests of a process. In the first two, a launch fails in a function that knows nothing of the test.
enum FirstTest {
    static var entries: [String: XCTestCaseEntry] {
        [
            "flaking": (FlakingLaunch.self, [("test", { try ($0 as? FlakingLaunch)?.test() })]),
            "failing": (FailingLaunch.self, [("test", { _ in try launch() })]),
            "shared": (SharedLaunch.self, [("test1", SharedLaunch.leavesAWait), ("test2", SharedLaunch.next)]),
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

/// The app is launched before the first test.
final class SharedLaunch: XCTestCase {
    nonisolated(unsafe) private static var app: AppProcess?
    private static let isWaitOver = DispatchSemaphore(value: 0)

    override class func setUp() { app = try? launchApp("UnrulyApp", until: .ready) }

    static func leavesAWait(_: XCTestCase) {
        let hasBegun = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [app] in
            app?.waitForCheckpoint(Checkpoint("never"), timeout: 1) { hasBegun.signal() }
            isWaitOver.signal()
        }
        hasBegun.wait()
    }

    static func next(_: XCTestCase) throws {
        XCTAssertEqual(isWaitOver.wait(timeout: .now() + 30), .success)
        let process = try XCTUnwrap(app).processIdentifier
        app = nil
        for _ in 0..<3000 where kill(process, 0) == 0 { usleep(10_000) }
        XCTAssertEqual(kill(process, 0), -1, "the app outlives its last reference")
    }
}
