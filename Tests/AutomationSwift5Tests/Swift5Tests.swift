import AutomationTesting

extension Checkpoint {
    fileprivate static let refreshed = Checkpoint("refreshed")
}

extension ElementIdentifier {
    fileprivate static let row = ElementIdentifier("row")
}

/// A user's tests in Swift 5 mode: all forms of waiting, in a class of the main actor and in one that is not.
@MainActor
final class MainActorSwift5Tests: XCTestCase {
    private var rows = 0

    func testWaiting() {
        waitForCheckpoint(.refreshed) {
            rows += 1
            DispatchQueue.main.async { postCheckpoint(.refreshed) }
        }
        announceElement(.row, is: .tappable)
        XCTAssertTrue(waitForElement(.row, toBe: .visible))
        XCTAssertEqual(rows, 1)
    }

    func testAwaiting() async {
        await waitForCheckpoint(.refreshed) {
            rows += 1
            Task { postCheckpoint(.refreshed) }
        }
        XCTAssertEqual(rows, 1)
    }
}

final class Swift5Tests: XCTestCase {
    private struct Options: LaunchOptions {
        @LaunchOption var quiet = false
    }

    private var lines = 0

    func testWaitingForAProcess() throws {
        let app = try launchApp("/bin/cat", options: Options { $0.quiet = true }, until: nil)
        // An executable without AppAutomation takes the options for its own, and fails.
        lines += 1
        XCTAssertEqual(app.waitForExit(), .exited(code: 1))
        XCTAssertFalse(app.errorOutput.isEmpty)
    }

    @MainActor
    func testAwaitingAProcess() async throws {
        let app = try await launchApp("/bin/cat", arguments: ["/nowhere"], until: nil)
        let status = await app.waitForExit()
        lines += 1
        XCTAssertEqual(status, .exited(code: 1))
    }
}
