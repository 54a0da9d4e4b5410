import AppAutomation
import XCTest

/// Where the events come from that a test waits for, and what is worth saying of it when a wait fails.
struct EventSource: Sendable {
    let hub: EventHub
    /// More for the message of a wait that was in vain; empty if there is nothing to say.
    let remark: @Sendable () -> String

    /// Waits on this thread; a wait in vain is a failure at the given line.
    func wait(
        for awaited: Awaited,
        timeout: TimeInterval,
        file: StaticString,
        line: UInt,
        perform action: () throws -> Void
    ) rethrows -> Bool {
        let wait = EventWait(for: awaited, on: hub)
        try action()
        return report(wait.wait(timeout: timeout), of: wait, timeout: timeout, file: file, line: line)
    }

    /// Waits in this task; a wait in vain is a failure at the given line.
    func wait(
        for awaited: Awaited,
        timeout: TimeInterval,
        isolation: isolated (any Actor)?,
        file: StaticString,
        line: UInt,
        perform action: () async throws -> Void
    ) async rethrows -> Bool {
        let wait = EventWait(for: awaited, on: hub)
        try await action()
        return report(await wait.wait(timeout: timeout), of: wait, timeout: timeout, file: file, line: line)
    }

    private func report(
        _ outcome: Outcome,
        of wait: EventWait,
        timeout: TimeInterval,
        file: StaticString,
        line: UInt
    ) -> Bool {
        guard outcome != .met else { return true }
        let remark = remark()
        let message = wait.failure(outcome, timeout: timeout) + (remark.isEmpty ? "" : "\n" + remark)
        XCTFail(message, file: file, line: line)
        return false
    }
}

extension EventSource {
    /// The app's code that runs in the test's own process.
    static var thisProcess: EventSource {
        ElementsPerTest.begin()
        return EventSource(hub: .shared) {
            isAutomationCompiledIn
                ? "" : "this build has no checkpoints: build for debugging, or with -Xswiftc -DAPP_AUTOMATION"
        }
    }
}
