import AppAutomation
import XCTest

/// Performs an action and waits, without blocking a thread, until the app's code in this process posts a checkpoint.
///
/// ```swift
/// await waitForCheckpoint(.dataRefreshed) { viewModel.refresh() }
/// ```
///
/// The action runs on the caller's actor. Only what is posted after the wait began counts, in whichever test: tests that run in
/// parallel need checkpoints of their own names, or a launched app each. Cancelling the task ends the wait with a failure.
///
/// - Parameters:
///   - checkpoint: The checkpoint to wait for.
///   - timeout: The number of seconds to wait once the action has returned, before the test fails at the caller's line with
///     what was seen instead. It can be long: only a failure takes that long.
///   - isolation: The actor on which the action runs.
///   - file: The file of the line that fails.
///   - line: The line that fails.
///   - action: The cause of the checkpoint.
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
    try await EventSource(hub: .shared, scope: .current)
        .wait(for: .checkpoint(checkpoint), timeout: timeout, at: Caller(file, line), perform: action)
}

/// Performs an action and waits until the app's code in this process announces that an element is in a state.
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
    try await EventSource(hub: .shared, elementsSince: .max, scope: .current)
        .wait(for: .element(identifier, state), timeout: timeout, at: Caller(file, line), perform: action)
}

// In a test case, a method hides the functions of its name, so there is one for each of them.
extension XCTestCase {
    /// Performs an action and waits until the app's code in this process posts a checkpoint.
    ///
    /// It works like the function of this name, but blocks the thread. What is queued for the main thread runs while a test
    /// waits there. A checkpoint that is posted after the deadline is too late, even where the wait takes longer because
    /// something else keeps the main thread busy.
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
    @nonobjc  // Methods of XCTestCase are Objective-C's by default, and those have no parameter for an actor.
    @discardableResult
    public func waitForCheckpoint(
        _ checkpoint: Checkpoint,
        timeout: TimeInterval = 30,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line,
        perform action: () async throws -> Void
    ) async rethrows -> Bool {
        try await thisProcess.wait(
            for: .checkpoint(checkpoint),
            timeout: timeout,
            at: Caller(file, line),
            perform: action
        )
    }

    /// Waits until the app's code in this process announces that an element is in a state; returns at once if it is.
    ///
    /// Its newest state counts, if it was announced since this test began. Only what was announced as gone is gone; an
    /// element that was never announced is in no state.
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
        thisProcess.wait(for: .element(identifier, state), timeout: timeout, at: Caller(file, line)) {}
    }

    /// Waits, without blocking a thread, until the app's code in this process announces that an element is in a state.
    @nonobjc
    @discardableResult
    public func waitForElement(
        _ identifier: ElementIdentifier,
        toBe state: ElementState,
        timeout: TimeInterval = 30,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async -> Bool {
        await thisProcess.wait(for: .element(identifier, state), timeout: timeout, at: Caller(file, line)) {}
    }

    /// The app's code in the test's own process.
    var thisProcess: EventSource {
        let (scope, start) = TestScope.of(self)
        return EventSource(hub: .shared, elementsSince: start, scope: scope)
    }
}
