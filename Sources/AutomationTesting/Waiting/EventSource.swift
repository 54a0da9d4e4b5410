import AppAutomation
import Groundwork
import XCTest

/// Where the events come from that a test waits for, and what is worth saying of it when a wait fails.
struct EventSource: Sendable {
    /// For how many seconds an app is given to answer before a wait begins without its answer. A thread of its own answers,
    /// so only an app that is stopped needs that long.
    private static let patience = 5.0

    let hub: EventHub
    /// Asks the source to post this fence after the events that are under way; `nil` if none ever is.
    let fence: (@Sendable (UInt64) -> Void)?
    /// More for the message of a wait that failed; empty if there is nothing to say.
    let remark: @Sendable () -> String
    /// Whether the test that waits has ended.
    let isTestOver: @Sendable () -> Bool

    /// Waits on this thread; without the event, the test fails at the caller's line.
    func wait(
        for awaited: AwaitedEvent,
        timeout: TimeInterval,
        at caller: Caller,
        perform action: () throws -> Void
    ) rethrows -> Bool {
        report(try failure(for: awaited, timeout: timeout, perform: action), at: caller)
    }

    /// Waits in this task; without the event, the test fails at the caller's line.
    func suspend(
        until awaited: AwaitedEvent,
        timeout: TimeInterval,
        at caller: Caller,
        isolation: isolated (any Actor)? = #isolation,
        perform action: () async throws -> Void
    ) async rethrows -> Bool {
        let wait = EventWait(for: awaited, on: hub, fence: fence)
        defer { wait.stopListening() }
        await wait.begin(patience: max(timeout, Self.patience))
        try await action()
        return report(message(of: wait, await wait.finish(timeout: timeout), timeout), at: caller)
    }

    /// Waits on this thread, and returns the message of the failure, if it is one.
    func failure(for awaited: AwaitedEvent, timeout: TimeInterval, perform action: () throws -> Void) rethrows
        -> String?
    {
        let wait = EventWait(for: awaited, on: hub, fence: fence)
        defer { wait.stopListening() }
        wait.begin(patience: max(timeout, Self.patience))
        try action()
        return message(of: wait, wait.finish(timeout: timeout), timeout)
    }

    /// The message for a wait with this outcome; `nil` if the event came.
    func message(of wait: EventWait, _ outcome: EventWait.Outcome, _ timeout: TimeInterval) -> String? {
        guard outcome != .met else { return nil }
        let remark = remark()
        return wait.failure(outcome, timeout: timeout) + (remark.isEmpty ? "" : "\n" + remark)
    }

    private func report(_ failure: String?, at caller: Caller) -> Bool {
        guard let failure else { return true }
        if hasTestToFail(failure) { caller.fail(failure) }
        return false
    }

    /// Fails the test at the caller's line, and makes an error that stops it.
    func stop<Wanted>(_ wanted: Wanted.Type, _ failure: String, at caller: Caller) -> any Error {
        hasTestToFail(failure) ? caller.stop(wanted, failure) : AppLaunchError(failure)
    }

    /// Whether the test can still fail. If it has ended, a failure would be recorded for the test that runs now, so a line on
    /// standard error is written instead.
    private func hasTestToFail(_ failure: String) -> Bool {
        guard isTestOver() else { return true }
        writeToStandardError("AutomationTesting: \(failure); no test fails, because the one that waited has ended")
        return false
    }
}

extension EventSource {
    /// The app's code that runs in the test's own process. It posts at once, so nothing is ever under way.
    static func thisProcess(of test: XCTestCase) -> EventSource {
        TestBoundary.begin(with: test)
        // Safe: it is asked for nothing but when it ended.
        nonisolated(unsafe) let test = test
        return EventSource(hub: .shared, fence: nil) {
            isAutomationCompiledIn
                ? "" : "this build has no checkpoints: build for debugging, or with -Xswiftc -DAPP_AUTOMATION"
        } isTestOver: {
            test.testRun?.stopDate != nil
        }
    }
}
