import RetryCore
import XCTest

// The forms for steps that suspend. They are disfavoured so that a step which does not needs no `await` in an async test.

extension TargetedAutoRetry {
    /// Runs a step that suspends, and again until it succeeded. It runs on the caller's actor.
    ///
    /// Once the task is cancelled no further try is made, and the step has failed.
    ///
    /// - Parameters:
    ///   - mainAction: The step.
    ///   - successCondition: Whether the step succeeded; `nil` counts as no.
    ///   - resetSteps: What brings the test back to where the step begins; it runs before each retry, and counts as
    ///     part of it.
    ///   - retryAttempts: How often the step may be tried again. A negative number fails the test.
    ///   - actionDescription: What the step does, for the log, the failure and the report.
    ///   - failTestOnFailure: Whether the test fails if no try succeeds.
    ///   - delay: Seconds to wait before each retry.
    ///   - file: The file of the call, where the test fails.
    ///   - line: The line of the call, where the test fails.
    ///   - isolation: The actor to run on: the caller's.
    /// - Returns: How many retries were made: 0 if the first try succeeded, `retryAttempts` if none did.
    @discardableResult
    @_disfavoredOverload
    public func autoRetry(
        mainAction: () async -> Void,
        successCondition: () async -> Bool?,
        resetSteps: () async -> Void,
        retryAttempts: Int = 3,
        actionDescription: String? = nil,
        failTestOnFailure: Bool = true,
        delay: TimeInterval = 0,
        file: StaticString = #filePath,
        line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Int {
        var run = StepRun(actionDescription, of: self, retryAttempts, failsTest: failTestOnFailure, delay, file, line)
        return await run.run(mainAction, until: successCondition, reset: resetSteps) ?? run.failCancelled()
    }

    /// Runs a step that suspends, and again until it succeeded, with nothing to be done before a retry. It runs on the
    /// caller's actor.
    ///
    /// Once the task is cancelled no further try is made, and the step has failed.
    ///
    /// - Parameters:
    ///   - mainAction: The step.
    ///   - successCondition: Whether the step succeeded; `nil` counts as no.
    ///   - resetSteps: The same, or `nil` if nothing has to be done before a retry.
    ///   - retryAttempts: How often the step may be tried again. A negative number fails the test.
    ///   - actionDescription: What the step does, for the log, the failure and the report.
    ///   - failTestOnFailure: Whether the test fails if no try succeeds.
    ///   - delay: Seconds to wait before each retry.
    ///   - file: The file of the call, where the test fails.
    ///   - line: The line of the call, where the test fails.
    ///   - isolation: The actor to run on: the caller's.
    /// - Returns: How many retries were made: 0 if the first try succeeded, `retryAttempts` if none did.
    @discardableResult
    @_disfavoredOverload
    public func autoRetry(
        mainAction: () async -> Void,
        successCondition: () async -> Bool?,
        resetSteps: (() async -> Void)? = nil,
        retryAttempts: Int = 3,
        actionDescription: String? = nil,
        failTestOnFailure: Bool = true,
        delay: TimeInterval = 0,
        file: StaticString = #filePath,
        line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Int {
        var run = StepRun(actionDescription, of: self, retryAttempts, failsTest: failTestOnFailure, delay, file, line)
        run.hasReset = resetSteps != nil
        return await run.run(mainAction, until: successCondition, reset: { await resetSteps?() }) ?? run.failCancelled()
    }

    /// Runs a step that suspends and can throw, and again until it succeeded. It runs on the caller's actor.
    ///
    /// An error is a try without success.
    ///
    /// - Parameters:
    ///   - mainAction: The step.
    ///   - successCondition: Whether the step succeeded; `nil` counts as no.
    ///   - resetSteps: What brings the test back to where the step begins; it runs before each retry, and counts as
    ///     part of it.
    ///   - retryAttempts: How often the step may be tried again. A negative number fails the test.
    ///   - actionDescription: What the step does, for the log, the failure and the report.
    ///   - failTestOnFailure: Whether the test fails if no try succeeds.
    ///   - delay: Seconds to wait before each retry.
    ///   - file: The file of the call, where the test fails.
    ///   - line: The line of the call, where the test fails.
    ///   - isolation: The actor to run on: the caller's.
    /// - Returns: How many retries were made: 0 if the first try succeeded, `retryAttempts` if none did.
    /// - Throws: What the closures throw that is no failure of the step: `XCTSkip`, and `CancellationError`, which it
    ///   also throws instead of another try once the task is cancelled.
    @discardableResult
    @_disfavoredOverload
    public func autoRetry(
        mainAction: () async throws -> Void,
        successCondition: () async throws -> Bool?,
        resetSteps: () async throws -> Void,
        retryAttempts: Int = 3,
        actionDescription: String? = nil,
        failTestOnFailure: Bool = true,
        delay: TimeInterval = 0,
        file: StaticString = #filePath,
        line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        var run = StepRun(actionDescription, of: self, retryAttempts, failsTest: failTestOnFailure, delay, file, line)
        let retries = try await run.run(mainAction, until: successCondition, reset: resetSteps)
        guard let retries else { throw run.cancellation() }
        return retries
    }

    /// Runs a step that suspends and can throw, and again until it succeeded, with nothing to be done before a retry. It
    /// runs on the caller's actor.
    ///
    /// An error is a try without success.
    ///
    /// - Parameters:
    ///   - mainAction: The step.
    ///   - successCondition: Whether the step succeeded; `nil` counts as no.
    ///   - resetSteps: The same, or `nil` if nothing has to be done before a retry.
    ///   - retryAttempts: How often the step may be tried again. A negative number fails the test.
    ///   - actionDescription: What the step does, for the log, the failure and the report.
    ///   - failTestOnFailure: Whether the test fails if no try succeeds.
    ///   - delay: Seconds to wait before each retry.
    ///   - file: The file of the call, where the test fails.
    ///   - line: The line of the call, where the test fails.
    ///   - isolation: The actor to run on: the caller's.
    /// - Returns: How many retries were made: 0 if the first try succeeded, `retryAttempts` if none did.
    /// - Throws: What the closures throw that is no failure of the step: `XCTSkip`, and `CancellationError`, which it
    ///   also throws instead of another try once the task is cancelled.
    @discardableResult
    @_disfavoredOverload
    public func autoRetry(
        mainAction: () async throws -> Void,
        successCondition: () async throws -> Bool?,
        resetSteps: (() async throws -> Void)? = nil,
        retryAttempts: Int = 3,
        actionDescription: String? = nil,
        failTestOnFailure: Bool = true,
        delay: TimeInterval = 0,
        file: StaticString = #filePath,
        line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        var run = StepRun(actionDescription, of: self, retryAttempts, failsTest: failTestOnFailure, delay, file, line)
        run.hasReset = resetSteps != nil
        let retries = try await run.run(mainAction, until: successCondition, reset: { try await resetSteps?() })
        guard let retries else { throw run.cancellation() }
        return retries
    }
}
