import AppAutomation
import Foundation

/// One screen of an app: the steps that a user can take there, and what can be seen.
///
/// Steps return this robot or the one of the screen that they lead to, so that a test reads like a user's actions. They pass
/// on file and line, so that a failure shows the test's line. Without `async`, both methods block the thread.
///
/// ```swift
/// struct WelcomeRobot: AppRobot {
///     let app: AppProcess
///
///     func skip(file: StaticString = #filePath, line: UInt = #line) async throws -> ListRobot {
///         try await perform(awaiting: .listShown, file: file, line: line) { app.send("skip") }
///         return ListRobot(app: app)
///     }
/// }
/// ```
public protocol AppRobot {
    /// An ``AppProcess`` or another ``AppConnection``.
    associatedtype App: AppConnection

    /// The app that has this screen.
    var app: App { get }
}

extension AppRobot {
    /// Performs an action and waits for the checkpoint that it leads to.
    ///
    /// - Throws: An error that stops the test, if the checkpoint was not posted. The failure is reported once.
    @_disfavoredOverload  // Else an async step whose action happens not to await would get this form.
    @discardableResult
    public func perform(
        awaiting checkpoint: Checkpoint,
        timeout: TimeInterval = 30,
        file: StaticString = #filePath,
        line: UInt = #line,
        action: () throws -> Void
    ) throws -> Self {
        try app.awaitableEvents.wait(for: .checkpoint(checkpoint), timeout: timeout, perform: action).check(file, line)
        return self
    }

    /// Performs an action and waits, without blocking a thread, for the checkpoint that it leads to.
    @discardableResult
    public func perform(
        awaiting checkpoint: Checkpoint,
        timeout: TimeInterval = 30,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line,
        action: () async throws -> Void
    ) async throws -> Self {
        try await app.awaitableEvents.wait(for: .checkpoint(checkpoint), timeout: timeout, perform: action)
            .check(file, line)
        return self
    }

    /// Waits until an element of the screen is in a state.
    ///
    /// - Throws: An error that stops the test, if that was not announced. The failure is reported once.
    @discardableResult
    public func expect(
        _ identifier: ElementIdentifier,
        toBe state: ElementState,
        timeout: TimeInterval = 30,
        file: StaticString = #filePath,
        line: UInt = #line
    ) throws -> Self {
        try app.awaitableEvents.wait(for: .element(identifier, state), timeout: timeout) {}.check(file, line)
        return self
    }

    /// Waits, without blocking a thread, until an element of the screen is in a state.
    @discardableResult
    public func expect(
        _ identifier: ElementIdentifier,
        toBe state: ElementState,
        timeout: TimeInterval = 30,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws -> Self {
        try await app.awaitableEvents.wait(for: .element(identifier, state), timeout: timeout) {}.check(file, line)
        return self
    }
}
