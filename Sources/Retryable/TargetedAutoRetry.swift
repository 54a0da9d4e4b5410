import RetryCore
import XCTest

/// A test case that can retry one of its steps on the spot, without running the whole test again.
///
/// Every ``RetryableTestCase`` can. Any other `XCTestCase` adopts this protocol, best once, in the base class of your
/// tests:
///
/// ```swift
/// class MyBaseTestCase: XCTestCase, TargetedAutoRetry {}
/// ```
public protocol TargetedAutoRetry: XCTestCase {}

extension RetryableTestCase: TargetedAutoRetry {}

extension TargetedAutoRetry {
    /// Runs a step, and again until it succeeded.
    ///
    /// ```swift
    /// autoRetry(
    ///     mainAction: { signIn(username, password) },
    ///     successCondition: isSignedIn,
    ///     resetSteps: launch,
    ///     actionDescription: "Sign In"
    /// )
    /// ```
    ///
    /// The action runs once, then up to `retryAttempts` more times, each time after the reset steps, until the condition
    /// holds. An error thrown by any of the three is a try without success. If no try had success, the test fails at
    /// the call; inside a section of ``RetryableTestCase`` that is a flake like any other. What the step took is logged
    /// and stands in the report; one that succeeds at once leaves no trace.
    ///
    /// Called when the test has ended, from a thread that goes on, it fails no test; standard error says so.
    ///
    /// Assertions in the closures fail the test at once, as they do anywhere. Let the condition say what is missing.
    ///
    /// - Parameters:
    ///   - mainAction: The step.
    ///   - successCondition: Whether the step succeeded; `nil` counts as no.
    ///   - resetSteps: What brings the test back to where the step begins; it runs before each retry, and counts as
    ///     part of it.
    ///   - retryAttempts: How often the step may be tried again. A negative number fails the test.
    ///   - actionDescription: What the step does, for the log, the failure and the report.
    ///   - failTestOnFailure: Whether the test fails if no try succeeds.
    ///   - delay: Seconds to wait before each retry. On the main thread, what is queued there runs meanwhile.
    ///   - file: The file of the call, where the test fails.
    ///   - line: The line of the call, where the test fails.
    /// - Returns: How many retries were made: 0 if the first try succeeded, `retryAttempts` if none did.
    /// - Throws: What the closures throw that is no failure of the step: `XCTSkip`, and `CancellationError`.
    @discardableResult
    public func autoRetry(
        mainAction: () throws -> Void,
        successCondition: () throws -> Bool?,
        resetSteps: () throws -> Void,
        retryAttempts: Int = 3,
        actionDescription: String? = nil,
        failTestOnFailure: Bool = true,
        delay: TimeInterval = 0,
        file: StaticString = #filePath,
        line: UInt = #line
    ) rethrows -> Int {
        var run = StepRun(actionDescription, of: self, retryAttempts, failsTest: failTestOnFailure, delay, file, line)
        return try run.run(mainAction, until: successCondition, reset: resetSteps)
    }

    /// Runs a step, and again until it succeeded, with nothing to be done before a retry.
    ///
    /// - Parameters:
    ///   - mainAction: The step.
    ///   - successCondition: Whether the step succeeded; `nil` counts as no.
    ///   - resetSteps: The same, or `nil` if nothing has to be done before a retry.
    ///   - retryAttempts: How often the step may be tried again. A negative number fails the test.
    ///   - actionDescription: What the step does, for the log, the failure and the report.
    ///   - failTestOnFailure: Whether the test fails if no try succeeds.
    ///   - delay: Seconds to wait before each retry. On the main thread, what is queued there runs meanwhile.
    ///   - file: The file of the call, where the test fails.
    ///   - line: The line of the call, where the test fails.
    /// - Returns: How many retries were made: 0 if the first try succeeded, `retryAttempts` if none did.
    /// - Throws: What the closures throw that is no failure of the step: `XCTSkip`, and `CancellationError`.
    @discardableResult
    public func autoRetry(
        mainAction: () throws -> Void,
        successCondition: () throws -> Bool?,
        resetSteps: (() throws -> Void)? = nil,
        retryAttempts: Int = 3,
        actionDescription: String? = nil,
        failTestOnFailure: Bool = true,
        delay: TimeInterval = 0,
        file: StaticString = #filePath,
        line: UInt = #line
    ) rethrows -> Int {
        var run = StepRun(actionDescription, of: self, retryAttempts, failsTest: failTestOnFailure, delay, file, line)
        run.hasReset = resetSteps != nil
        return try run.run(mainAction, until: successCondition, reset: { try resetSteps?() })
    }
}
