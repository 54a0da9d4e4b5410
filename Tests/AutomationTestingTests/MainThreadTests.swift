@testable import AutomationTesting

/// In XCTest, because only XCTest runs a test on the main thread with its queue free.
final class MainThreadTests: XCTestCase {
    func testWhatIsQueuedForTheMainThreadRunsWhileATestWaitsThere() {
        XCTAssertTrue(Thread.isMainThread)
        let isSeen = waitForCheckpoint(.refreshed) {
            DispatchQueue.main.async {
                DispatchQueue.main.async { postCheckpoint(.refreshed) }
            }
        }
        XCTAssertTrue(isSeen)
    }

    func testTasksOfTheMainActorAndTimersRunWhileATestWaits() {
        waitForCheckpoint(.refreshed) { Task { @MainActor in postCheckpoint(.refreshed) } }
        waitForCheckpoint(.other) {
            _ = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in postCheckpoint(.other) }
        }
    }

    func testAWaitInsideAnActionOfAnotherWait() {
        waitForCheckpoint(.refreshed) {
            waitForCheckpoint(.other) {
                DispatchQueue.main.async { postCheckpoint(.refreshed) }
                DispatchQueue.main.async { postCheckpoint(.other) }
            }
        }
    }

    func testAWaitInsideABlockOfTheMainQueueHearsOtherThreads() {
        let source = awaitableEvents
        waitForCheckpoint(.refreshed) {
            DispatchQueue.main.async {
                let wait = source.failure(for: .checkpoint(.other), timeout: 30) {
                    Thread.detachNewThread { postCheckpoint(.other) }
                }
                XCTAssertNil(wait)
                postCheckpoint(.refreshed)
            }
        }
    }

    func testAnEventAfterTheDeadlineIsTooLateThoughTheMainQueueKeptTheWaitFromEnding() throws {
        let source = awaitableEvents
        let failure = source.failure(for: .checkpoint(.refreshed), timeout: 0.05) {
            DispatchQueue.main.async {
                Thread.sleep(forTimeInterval: 0.3)
                postCheckpoint(.refreshed)
            }
        }
        let message = try XCTUnwrap(failure, "the wait passed")
        let start = #"checkpoint "refreshed" was not posted within 0.05 s, but "#
        let end = " s too late; nothing was seen instead"
        XCTAssertTrue(message.hasPrefix(start) && message.hasSuffix(end), message)
        let delay = try XCTUnwrap(Double(message.dropFirst(start.count).dropLast(end.count)), message)
        XCTAssertGreaterThan(delay, 0.2)
    }
}

/// A test class of the main actor, as tests of views are.
@MainActor
final class MainActorTests: XCTestCase {
    private var rows = 0

    func testAnActionReachesTheClassesState() {
        waitForCheckpoint(.refreshed) {
            rows = 3
            DispatchQueue.main.async { postCheckpoint(.refreshed) }
        }
        XCTAssertEqual(rows, 3)
    }

    func testAnAsyncActionReachesTheClassesState() async {
        await waitForCheckpoint(.refreshed) {
            rows += 1
            await Task.yield()
            Task { postCheckpoint(.refreshed) }
        }
        XCTAssertEqual(rows, 1)
    }
}
