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
        let failure = try failure(for: awaited, timeout: timeout, perform: action)
        return report(failure, file: file, line: line)
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
        defer { wait.stopListening() }
        try await action()
        return report(message(of: wait, await wait.wait(timeout: timeout), timeout), file: file, line: line)
    }

    /// Waits on this thread, and says what is to be said if it was in vain.
    func failure(for awaited: Awaited, timeout: TimeInterval, perform action: () throws -> Void) rethrows -> String? {
        let wait = EventWait(for: awaited, on: hub)
        defer { wait.stopListening() }
        try action()
        return message(of: wait, wait.wait(timeout: timeout), timeout)
    }

    /// What is to be said of a wait that came out like this; `nil` if it was not in vain.
    func message(of wait: EventWait, _ outcome: Outcome, _ timeout: TimeInterval) -> String? {
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

/// Fails the test at the given line, and makes an error that stops it without being reported again.
func stoppingFailure<Wanted>(_ wanted: Wanted.Type, _ message: String, file: StaticString, line: UInt) -> any Error {
    do {
        // XCTest has no such error in its interface, but a nil that is unwrapped throws one.
        _ = try XCTUnwrap(Wanted?.none, message, file: file, line: line)
        return AppLaunchError(message)
    } catch {
        return error
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
