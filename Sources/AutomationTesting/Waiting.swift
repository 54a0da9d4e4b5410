import AppAutomation
import XCTest

/// Performs an action and waits until the app's code in this process posts a checkpoint.
///
/// ```swift
/// await waitForCheckpoint(.dataRefreshed) { viewModel.refresh() }
/// ```
///
/// No thread is blocked. The action runs on the caller's actor. Only what is posted after the wait began counts, in
/// whichever test: tests that run in parallel need checkpoints of their own names, or a launched app each. Cancelling the
/// task ends the wait with a failure.
///
/// The time-out counts from the action's return; then the test fails at the caller's line with what was seen instead. It can
/// be long: only a failure takes that long.
///
/// - Returns: True if the checkpoint was posted.
@discardableResult
public func waitForCheckpoint(
    _ checkpoint: Checkpoint,
    timeout: TimeInterval = 30,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath,
    line: UInt = #line,
    perform action: () async throws -> Void
) async rethrows -> Bool {
    try await EventSource(scope: .current)
        .wait(for: .checkpoint(checkpoint), timeout: timeout, perform: action).report(file, line)
}

/// Performs an action and waits until the app's code in this process announces an element's state.
///
/// Only what is announced after the wait began counts, because tests of Swift Testing share a process at the same time. A
/// state includes those it implies: what is tappable is visible and present too.
///
/// - Returns: True if the element came to be in the state.
@discardableResult
public func waitForElement(
    _ identifier: ElementIdentifier,
    toBe state: ElementState,
    timeout: TimeInterval = 30,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath,
    line: UInt = #line,
    perform action: () async throws -> Void
) async rethrows -> Bool {
    try await EventSource(elementsSince: .max, scope: .current)
        .wait(for: .element(identifier, state), timeout: timeout, perform: action).report(file, line)
}

/// A test case, which waits for the app's code in its own process, or an ``AppConnection``.
///
/// Each wait has a form that blocks the thread and an asynchronous one. On the main thread, what is queued there runs while
/// the first waits. In a test of Swift Testing, a blocked thread is one of the few that all tests share.
public protocol EventWaiting {
    /// The events that the waits listen to.
    var awaitableEvents: EventSource { get }
}

// In a test case, a method hides the functions of its name, so there is one for each of them.
extension XCTestCase: EventWaiting {
    /// The events of the app's code in the test's own process.
    public var awaitableEvents: EventSource { TestScope.events(of: self) }
}

extension EventWaiting {
    /// Performs an action and waits until the app posts a checkpoint.
    ///
    /// ```swift
    /// app.waitForCheckpoint(.dataRefreshed) { app.send("refresh") }
    /// ```
    ///
    /// Only what is posted after the wait began counts, and what is posted after the deadline is too late. If an app process
    /// ends in the meantime, the test fails at once, with the app's last output.
    ///
    /// The time-out counts from the action's return; then the test fails at the caller's line with what was seen instead.
    /// It can be long: only a failure takes that long.
    ///
    /// - Returns: True if the checkpoint was posted.
    @_disfavoredOverload  // Else an async test whose action happens not to await would get this form.
    @discardableResult
    public func waitForCheckpoint(
        _ checkpoint: Checkpoint,
        timeout: TimeInterval = 30,
        file: StaticString = #filePath,
        line: UInt = #line,
        perform action: () throws -> Void
    ) rethrows -> Bool {
        try awaitableEvents.wait(for: .checkpoint(checkpoint), timeout: timeout, perform: action).report(file, line)
    }

    /// Performs an action and waits, without blocking a thread, until the app posts a checkpoint.
    ///
    /// The action runs on the caller's actor. Cancelling the task ends the wait with a failure.
    @discardableResult
    public func waitForCheckpoint(
        _ checkpoint: Checkpoint,
        timeout: TimeInterval = 30,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line,
        perform action: () async throws -> Void
    ) async rethrows -> Bool {
        try await awaitableEvents.wait(for: .checkpoint(checkpoint), timeout: timeout, perform: action)
            .report(file, line)
    }

    /// Waits until the app announces that an element is in a state; returns at once if it is.
    ///
    /// Its newest state counts; in a test case, if it was announced since the test began. A state includes those it implies:
    /// what is tappable is visible and present too. Only what was announced as gone is gone; an element that was never
    /// announced is in no state.
    ///
    /// - Returns: True if the element came to be in the state.
    @discardableResult
    public func waitForElement(
        _ identifier: ElementIdentifier,
        toBe state: ElementState,
        timeout: TimeInterval = 30,
        file: StaticString = #filePath,
        line: UInt = #line
    ) -> Bool {
        awaitableEvents.wait(for: .element(identifier, state), timeout: timeout) {}.report(file, line)
    }

    /// Waits, without blocking a thread, until the app announces that an element is in a state.
    @discardableResult
    public func waitForElement(
        _ identifier: ElementIdentifier,
        toBe state: ElementState,
        timeout: TimeInterval = 30,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async -> Bool {
        await awaitableEvents.wait(for: .element(identifier, state), timeout: timeout) {}.report(file, line)
    }
}
