import AppAutomation
import XCTest

/// Where the events come from that a test waits for, and what is worth saying of it when a wait fails.
struct EventSource: Sendable {
    /// For how many seconds an app is given to answer before a wait begins without its answer. A thread of its own answers,
    /// so only an app that is stopped needs that long.
    private static let patience = 5.0

    let hub: EventHub
    /// Asks the source to post this mark after the events that are under way; `nil` if none ever is.
    let mark: (@Sendable (UInt64) -> Void)?
    /// More for the message of a wait that failed; empty if there is nothing to say.
    let remark: @Sendable () -> String

    /// This source, for a wait that begins before anything can be under way.
    var fromTheStart: EventSource { EventSource(hub: hub, mark: nil, remark: remark) }

    /// Waits on this thread; without the event, the test fails at the given line.
    func wait(
        for awaited: Awaited,
        timeout: TimeInterval,
        file: StaticString,
        line: UInt,
        perform action: () throws -> Void
    ) rethrows -> Bool {
        let failure = try failure(for: awaited, timeout: timeout, perform: action)
        return report(failure, file: file, line: line)
    }

    /// Waits in this task; without the event, the test fails at the given line.
    func wait(
        for awaited: Awaited,
        timeout: TimeInterval,
        isolation: isolated (any Actor)?,
        file: StaticString,
        line: UInt,
        perform action: () async throws -> Void
    ) async rethrows -> Bool {
        let wait = EventWait(for: awaited, on: self)
        defer { wait.stopListening() }
        await wait.begin(patience: max(timeout, Self.patience))
        try await action()
        return report(message(of: wait, await wait.finish(timeout: timeout), timeout), file: file, line: line)
    }

    /// Waits on this thread, and returns the message of the failure, if it is one.
    func failure(for awaited: Awaited, timeout: TimeInterval, perform action: () throws -> Void) rethrows -> String? {
        let wait = EventWait(for: awaited, on: self)
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

    private func report(_ failure: String?, file: StaticString, line: UInt) -> Bool {
        guard let failure else { return true }
        XCTFail(failure, file: file, line: line)
        return false
    }
}

extension EventSource {
    /// The app's code that runs in the test's own process. It posts at once, so nothing is ever under way.
    static func thisProcess(of test: XCTestCase) -> EventSource {
        PerTest.begin(with: test)
        return EventSource(hub: .shared, mark: nil) {
            isAutomationCompiledIn
                ? "" : "this build has no checkpoints: build for debugging, or with -Xswiftc -DAPP_AUTOMATION"
        }
    }
}
