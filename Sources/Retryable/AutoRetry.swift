import Foundation

/// A test case or a page object that can retry one of its steps, without running the whole test again.
///
/// Every ``RetryableTestCase`` can. Any other `XCTestCase` adopts this protocol, best once, in the base class of your
/// tests. So does a class or a structure that holds steps for several tests:
///
/// ```swift
/// class MyBaseTestCase: XCTestCase, TargetedAutoRetry {}
/// struct SignInPage: TargetedAutoRetry {}
/// ```
public protocol TargetedAutoRetry {}

extension RetryableTestCase: TargetedAutoRetry {}

extension TargetedAutoRetry {
    /// Runs a step, and runs it again until it has succeeded.
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
    /// holds. An error thrown by any of the three makes the try fail. If no try succeeds, the test fails at the call;
    /// inside a section of ``RetryableTestCase`` that is a flake like any other. The log and the report show what was
    /// retried; a step that succeeds at once leaves no trace.
    ///
    /// Assertions in the closures fail the test at once, as they do anywhere. Use the condition for what may be missing.
    ///
    /// If no test runs, for example in a class's `setUp`, a failure is lost, as XCTest's own failures are. If the test
    /// case that calls has ended, because a thread of it goes on, the test that runs then fails, as with an assertion, and a
    /// line on standard error says so. Where XCTest is not seen to run anything, it ends the process with exit code 1: in a
    /// test of Swift Testing, and in the `setUp` of a class if no class of the run is a ``RetryableTestCase``.
    ///
    /// - Parameters:
    ///   - mainAction: The step.
    ///   - successCondition: The check that the step succeeded; `nil` counts as `false`.
    ///   - resetSteps: The way back to where the step begins, which runs before each retry, as a part of it.
    ///   - retryAttempts: The highest number of retries. A negative number fails the test.
    ///   - actionDescription: The name of the step in the log, the failure and the report.
    ///   - failTestOnFailure: `false` to go on with the test if no try succeeds.
    ///   - delay: Seconds to wait before each retry. On the main thread, blocks that are queued there run meanwhile.
    ///   - file: The file in which the test fails.
    ///   - line: The line at which the test fails.
    /// - Returns: The number of retries: 0 if the first try succeeded, `retryAttempts` if none did.
    /// - Throws: `XCTSkip` and `CancellationError`, if a closure throws them.
    @discardableResult
    public func autoRetry(
        mainAction: () throws -> Void,
        successCondition: () throws -> Bool?,
        @_implicitSelfCapture resetSteps: (() throws -> Void)? = nil,
        retryAttempts: Int = 3,
        actionDescription: String? = nil,
        failTestOnFailure: Bool = true,
        delay: TimeInterval = 0,
        file: StaticString = #filePath,
        line: UInt = #line
    ) rethrows -> Int {
        var step = AutoRetryStep(
            caller: self,
            action: actionDescription ?? "Action",
            allowedRetries: retryAttempts,
            failsTest: failTestOnFailure,
            delay: delay,
            place: (file, line)
        )
        step.begin()
        repeat {
            do {
                if resetSteps != nil { step.logReset() }
                if step.isRetry { try resetSteps?() }
                step.logAction()
                try mainAction()
                step.logCondition()
                if try successCondition() == true { return step.succeed() }
            } catch {
                guard step.noteFailure(error) else { throw error }
            }
            step.endFailedTry()
        } while step.beginRetry()
        return step.fail()
    }

    /// Runs a step that suspends, and runs it again until it has succeeded, on the caller's actor.
    ///
    /// The parameters, the result and the errors are those of the form for steps that do not suspend. Once the task is
    /// cancelled, no further try is made, and the step has failed.
    @discardableResult
    @_disfavoredOverload  // so that a step which does not suspend needs no `await` in an asynchronous test
    public func autoRetry(
        mainAction: () async throws -> Void,
        successCondition: () async throws -> Bool?,
        @_implicitSelfCapture resetSteps: (() async throws -> Void)? = nil,
        retryAttempts: Int = 3,
        actionDescription: String? = nil,
        failTestOnFailure: Bool = true,
        delay: TimeInterval = 0,
        file: StaticString = #filePath,
        line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> Int {
        var step = AutoRetryStep(
            caller: self,
            action: actionDescription ?? "Action",
            allowedRetries: retryAttempts,
            failsTest: failTestOnFailure,
            delay: delay,
            place: (file, line)
        )
        step.begin()
        repeat {
            do {
                if resetSteps != nil { step.logReset() }
                if step.isRetry { try await resetSteps?() }
                step.logAction()
                try await mainAction()
                step.logCondition()
                if try await successCondition() == true { return step.succeed() }
            } catch {
                guard step.noteFailure(error) else { throw error }
            }
            await step.endFailedTry(isolation: isolation)
        } while step.beginRetry()
        return step.fail()
    }
}
