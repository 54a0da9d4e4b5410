import Dispatch
import Groundwork
import RetryCore
import RetryReport
import XCTest

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
    /// line on standard error says so. In a process of Swift Testing, where XCTest can fail nothing, it ends the process with exit code 1.
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
        var step = StepRun(
            caller: self,
            tries: StepTries(actionDescription, allowedRetries: retryAttempts),
            failsTest: failTestOnFailure,
            delay: delay,
            place: (file, line)
        )
        step.begin()
        repeat {
            do {
                if resetSteps != nil { step.logRetry(.reset) }
                if step.tries.isRetry { try resetSteps?() }
                step.logRetry(.action)
                try mainAction()
                step.logRetry(.condition)
                if try successCondition() == true { return step.succeed() }
            } catch {
                guard step.noteFailure(error) else { throw error }
            }
            step.endFailedTry()
        } while step.tries.beginRetry()
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
        var step = StepRun(
            caller: self,
            tries: StepTries(actionDescription, allowedRetries: retryAttempts),
            failsTest: failTestOnFailure,
            delay: delay,
            place: (file, line)
        )
        step.begin()
        repeat {
            do {
                if resetSteps != nil { step.logRetry(.reset) }
                if step.tries.isRetry { try await resetSteps?() }
                step.logRetry(.action)
                try await mainAction()
                step.logRetry(.condition)
                if try await successCondition() == true { return step.succeed() }
            } catch {
                guard step.noteFailure(error) else { throw error }
            }
            await step.endFailedTry(isolation: isolation)
        } while step.tries.beginRetry()
        return step.fail()
    }
}

/// One call of `autoRetry`, while it runs.
private struct StepRun {
    let caller: Any
    var tries: StepTries
    let failsTest: Bool
    /// In seconds; NaN and negative numbers are no delay.
    let delay: TimeInterval
    let place: (file: StaticString, line: UInt)
    private let start = ProcessInfo.processInfo.systemUptime

    func begin() {
        StepReport.open
        if let mistake = tries.mistake { failTest(mistake) }
    }

    /// Keeps the error of a failed try. Returns `false` for an error that is no failure of the step and ends it.
    mutating func noteFailure(_ error: any Error) -> Bool {
        if error is XCTSkip || error is CancellationError || error is StoppedAfterFlake {
            if tries.isRetry { record(succeeded: false) }
            return false
        }
        tries.lastError = (tries.retries + 1, "\(error)")
        return true
    }

    /// Logs a moment of a retry. The first try is logged only if it fails.
    func logRetry(_ moment: StepTries.Moment) {
        if tries.isRetry { logStep(tries.line(at: moment)) }
    }

    /// Logs that the try failed, and waits for the next one as XCTest's own waits do.
    func endFailedTry() {
        logStep(tries.line(at: .unsuccessful))
        guard tries.hasNext, delay > 0 else { return }
        let end = DispatchTime.now() + min(delay, 86_400)  // a day; a number without bound would overflow
        if Thread.isMainThread { runMainLoop(until: end) }
        // On another thread, or where the main thread's run loop cannot run.
        _ = DispatchSemaphore(value: 0).wait(timeout: end)
    }

    mutating func endFailedTry(isolation: isolated (any Actor)?) async {
        logStep(tries.line(at: .unsuccessful))
        guard tries.hasNext else { return }
        // A sleep throws only if the task is cancelled, which is checked next.
        if delay > 0 { try? await Task.sleep(nanoseconds: UInt64(min(delay, 86_400) * 1e9)) }
        tries.wasCancelled = Task.isCancelled
    }

    func succeed() -> Int {
        logRetry(.succeeded)
        if tries.isRetry { record(succeeded: true) }
        return tries.retries
    }

    func fail() -> Int {
        logStep(tries.line(at: .failed(failsTest: failsTest)))
        record(succeeded: false)
        if failsTest { failTest(tries.failure) }
        return tries.retries
    }

    private func record(succeeded: Bool) {
        let test = test.map(TestName.init(of:))
        var step = Step(
            test: test?.name ?? "\(type(of: caller))",
            action: tries.action,
            retries: tries.retries,
            succeeded: succeeded,
            duration: ProcessInfo.processInfo.systemUptime - start
        )
        step.module = test?.module
        (step.file, step.line) = ("\(place.file)", Int(clamping: place.line))
        ProcessRun.shared.report.record(step)
    }

    /// The test case that called; for a page object the running test, known in runs with a `RetryableTestCase`.
    private var test: XCTestCase? { caller as? XCTestCase ?? TestsInProgress.test }

    private func failTest(_ message: String) {
        if let test, test.testRun?.stopDate != nil {
            log("\(message); \(test.name) has ended, so the test that runs now fails, if there is one")
        }
        if CommandLine.arguments.contains("swift-testing") {
            // XCTFail has no effect in such a process, so the run would be green.
            log("\(message); the process ends, because autoRetry can fail tests of XCTest only")
            exit(1)
        }
        XCTFail(message, file: place.file, line: place.line)
    }
}
