import AppAutomation
import XCTest

extension XCTestCase {
    /// Performs an action and waits until the app's code in this process posts a checkpoint.
    ///
    /// ```swift
    /// waitForCheckpoint(.dataRefreshed) {
    ///     viewModel.refresh()
    /// }
    /// ```
    ///
    /// It listens before the action starts, so nothing is missed, and returns the moment the checkpoint is posted. What is
    /// queued for the main thread runs while a test waits there.
    ///
    /// - Parameters:
    ///   - checkpoint: What to wait for.
    ///   - timeout: How many seconds to wait once the action has returned, before the test fails at the caller's line
    ///     with what was seen instead. It can be long: only a failure takes that long. What comes later is too late, even
    ///     where the wait takes longer because something else keeps the main thread busy.
    ///   - file: The file of the call.
    ///   - line: The line of the call.
    ///   - action: What makes the app come to the checkpoint.
    /// - Returns: Whether the checkpoint was posted.
    @_disfavoredOverload  // Else an async test whose action happens not to await would get this form.
    @discardableResult
    public func waitForCheckpoint(
        _ checkpoint: Checkpoint,
        timeout: TimeInterval = 30,
        file: StaticString = #filePath,
        line: UInt = #line,
        perform action: () throws -> Void
    ) rethrows -> Bool {
        try thisProcess.wait(for: .checkpoint(checkpoint), timeout: timeout, at: Caller(file, line), perform: action)
    }

    /// Performs an action and waits, without blocking a thread, until the app's code in this process posts a checkpoint.
    ///
    /// It works like the form that blocks; the action runs on the caller's actor. Cancelling the task ends the wait with a
    /// failure.
    @nonobjc  // Methods of XCTestCase are Objective-C's by default, and those cannot be told an actor.
    @discardableResult
    public func waitForCheckpoint(
        _ checkpoint: Checkpoint,
        timeout: TimeInterval = 30,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line,
        perform action: () async throws -> Void
    ) async rethrows -> Bool {
        let event = AwaitedEvent.checkpoint(checkpoint)
        return try await thisProcess.suspend(until: event, timeout: timeout, at: Caller(file, line), perform: action)
    }

    /// Waits until the app's code in this process announces that an element is in a state; returns at once if it is.
    ///
    /// A state includes those it implies: what is tappable is visible and present too. Only what was announced as gone is
    /// gone; an element of which nothing was ever heard is in no state. What was announced before the test began does not
    /// count.
    ///
    /// - Returns: Whether the element came to be in the state.
    @discardableResult
    public func waitForElement(
        _ identifier: ElementIdentifier,
        toBe state: ElementState,
        timeout: TimeInterval = 30,
        file: StaticString = #filePath,
        line: UInt = #line
    ) -> Bool {
        thisProcess.wait(for: .element(identifier, state), timeout: timeout, at: Caller(file, line)) {}
    }

    /// Waits, without blocking a thread, until an element is in a state, like the form that blocks.
    @discardableResult
    public func waitForElement(
        _ identifier: ElementIdentifier,
        toBe state: ElementState,
        timeout: TimeInterval = 30,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async -> Bool {
        await thisProcess.suspend(until: .element(identifier, state), timeout: timeout, at: Caller(file, line)) {}
    }

    private var thisProcess: EventSource { .thisProcess(of: self) }
}
