import AutomationTesting
import RetryableTesting
import Testing

extension Checkpoint {
    static let ready = Checkpoint("ready")
    static let refreshed = Checkpoint("refreshed")
}

/// Tests of Swift Testing that wait and launch, to pass and to fail.
@Suite struct Waits {
    @Test func appEndsWithItsLastReference() async throws {
        var app: AppProcess? = try await launchApp("UnrulyApp", until: .ready)
        let process = try #require(app?.processIdentifier)
        let state = try #require(app?.stateDirectory)
        var second: AppProcess? = try await launchApp("UnrulyApp", continuing: app, until: .ready)
        app = nil
        #expect(kill(process, 0) == 0, "the second app continues from the first")
        #expect(FileManager.default.fileExists(atPath: state.path))
        second?.send("exit 0")
        await second?.waitForExit()
        second = nil
        #expect(kill(process, 0) != 0)
        // A child of the app removes it, as soon as the app has ended.
        for _ in 0..<500 where FileManager.default.fileExists(atPath: state.path) {
            try await Task.sleep(nanoseconds: 10_000_000)
        }
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }

    @Test func failedLaunchStops() throws {
        #sourceLocation(file:"User.swift",line:10)
        _ = try launchApp("Nobody", until: nil)
        #sourceLocation()
        Issue.record("not stopped")
    }

    @Test func failedWait() async {
        #sourceLocation(file:"User.swift",line:20)
        await waitForCheckpoint(.refreshed, timeout: 0.01) {}
        #sourceLocation()
    }

    @Test func failedStep() async throws {
        let app = try await launchApp("UnrulyApp", until: .ready)
        #sourceLocation(file:"User.swift",line:30)
        try await Robot(app: app).expect(ElementIdentifier("row"), toBe: .visible, timeout: 0.01)
        #sourceLocation()
        Issue.record("not stopped")
    }

    @Test func detachedTask() async {
        _ = await Task.detached {
            #sourceLocation(file:"User.swift",line:40)
            await waitForCheckpoint(.refreshed, timeout: 0.01) {}
            #sourceLocation()
        }.value
    }

    @Test func thread() async throws {
        let app = try await launchApp("UnrulyApp", until: .ready)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                #sourceLocation(file:"User.swift",line:50)
                app.waitForCheckpoint(.refreshed, timeout: 0.01) {}
                #sourceLocation()
                continuation.resume()
            }
        }
    }

    @Test func elementOfAnEarlierTest() async {
        let row = ElementIdentifier("row")
        announceElement(row, is: .visible)
        #sourceLocation(file:"User.swift",line:60)
        await waitForElement(row, toBe: .visible, timeout: 0.01) {}
        #sourceLocation()
        await waitForElement(row, toBe: .visible) { announceElement(row, is: .tappable) }
    }
}

@Suite(.retryable) struct Flaking {
    @Test func wait() async {
        await flaky(.fixable(reason: "a slow wait")) {
            _ = await waitForCheckpoint(Checkpoint("flaky"), timeout: 0.02) {
                if Test.retryCount > 0 { postCheckpoint(Checkpoint("flaky")) }
            }
        }
    }

    @Test func launch() async throws {
        try await flaky(.fixable(reason: "a slow launch")) {
            let isRetry = Test.retryCount > 0
            let ready: Checkpoint = isRetry ? .ready : .refreshed
            _ = try await launchApp("UnrulyApp", until: ready, timeout: isRetry ? 30 : 0.1)
        }
    }
}

private struct Robot: AppRobot {
    let app: AppProcess
}
