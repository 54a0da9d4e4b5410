import Dispatch
import Groundwork
import RetryCore
import RetryReport
import XCTest

/// One call of `autoRetry`, while it runs.
struct StepRun {
    private let test: XCTestCase
    private let failsTest: Bool
    /// In seconds.
    private let delay: TimeInterval
    private let place: (file: StaticString, line: UInt)
    private let startedAt = DispatchTime.now()
    private var tries: StepTries
    /// Whether anything is done before a retry.
    var hasReset = true

    init(
        _ description: String?,
        of test: XCTestCase,
        _ retryAttempts: Int,
        failsTest: Bool,
        _ delay: TimeInterval,
        _ file: StaticString,
        _ line: UInt
    ) {
        StepReport.open
        self.test = test
        self.failsTest = failsTest
        self.delay = delay > 0 ? min(delay, 86_400) : 0  // at most a day; NaN is no delay
        place = (file, line)
        tries = StepTries(description, allowedRetries: retryAttempts)
        if let mistake = StepTries.mistake(retryAttempts: retryAttempts) { failForGood(mistake) }
    }

    /// Tries until the condition holds or no retry is left.
    ///
    /// - Parameters:
    ///   - action: What the step does.
    ///   - condition: Whether it succeeded; `nil` counts as no.
    ///   - reset: What comes before each retry.
    /// - Returns: How many retries were made.
    /// - Throws: What is no failure of the step, such as a skip.
    mutating func run(
        _ action: () throws -> Void,
        until condition: () throws -> Bool?,
        reset: () throws -> Void
    ) rethrows -> Int {
        repeat {
            do {
                if hasReset, log(.reset) { try reset() }
                log(.action)
                try action()
                log(.condition)
                if try condition() == true { return succeed() }
            } catch {
                guard isFailedTry(error) else { throw error }
            }
            note(step: tries.line(at: .unsuccessful))
            if delay > 0, tries.hasNext { pause() }
        } while tries.next()
        return fail()
    }

    /// Waits for the next try as XCTest's own waits do: on the main thread, what is queued there runs meanwhile.
    private func pause() {
        let end = DispatchTime.now() + delay
        if Thread.isMainThread { runMainLoop(until: end) }
        // On another thread, or where the main thread's run loop cannot run.
        _ = DispatchSemaphore(value: 0).wait(timeout: end)
    }

    /// The same for a step that suspends, on the caller's actor.
    ///
    /// - Returns: How many retries were made; `nil` if another one was left and the task was cancelled.
    mutating func run(
        _ action: () async throws -> Void,
        until condition: () async throws -> Bool?,
        reset: () async throws -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> Int? {
        repeat {
            do {
                if hasReset, log(.reset) { try await reset() }
                log(.action)
                try await action()
                log(.condition)
                if try await condition() == true { return succeed() }
            } catch {
                guard isFailedTry(error) else { throw error }
            }
            note(step: tries.line(at: .unsuccessful))
            if tries.hasNext, await isCancelled(isolation: isolation) { return nil }
        } while tries.next()
        return fail()
    }

    /// Waits for the next try.
    ///
    /// - Returns: Whether the task is cancelled, before or during the wait.
    private func isCancelled(isolation: isolated (any Actor)?) async -> Bool {
        guard delay > 0 else { return Task.isCancelled }
        do {
            try await Task.sleep(nanoseconds: UInt64(delay * 1_000_000_000))
            return false
        } catch {
            return true  // a sleep throws for no other reason
        }
    }
}

// MARK: - Its end

extension StepRun {
    /// Fails a step that cannot throw because its task was cancelled.
    ///
    /// - Returns: How many retries were made.
    mutating func failCancelled() -> Int {
        tries.wasCancelled = true
        return fail()
    }

    /// Ends a step that can throw because its task was cancelled.
    func cancellation() -> CancellationError {
        leave()
        return CancellationError()
    }

    /// Puts a step that ends with neither success nor failure into the report, if it was retried.
    private func leave() {
        if tries.retries > 0 { record(succeeded: false) }
    }

    private func succeed() -> Int {
        if tries.retries > 0 {
            note(step: tries.line(at: .succeeded))
            record(succeeded: true)
        }
        return tries.retries
    }

    private func fail() -> Int {
        note(step: tries.line(at: .failed(failsTest: failsTest)))
        record(succeeded: false)
        if failsTest, hasTestToFail(tries.failure) { XCTFail(tries.failure, file: place.file, line: place.line) }
        return tries.retries
    }

    /// Whether the test can still fail. If it has ended, a failure would be recorded for the test that runs now, so a line on
    /// standard error is written instead.
    private func hasTestToFail(_ message: String) -> Bool {
        guard test.testRun?.stopDate != nil else { return true }
        RetryCore.log("\(message); no test fails, because \(test.name) has ended")
        return false
    }

    /// Fails the test for a mistake in it, which no section suppresses.
    private func failForGood(_ message: String) {
        guard hasTestToFail(message) else { return }
        if let test = test as? RetryableTestCase {
            let place = CallSite.xctest(place.file, place.line).place
            test.failForReal(Failure(message, at: place), in: test.testRun)
        } else {
            XCTFail(message, file: place.file, line: place.line)
        }
    }

    /// - Returns: Whether the error is one more try without success, and not the end of the test.
    private mutating func isFailedTry(_ error: any Error) -> Bool {
        if error is CancellationError || error is XCTSkip || error is StoppedAfterFlake {
            leave()
            return false
        }
        tries.note(error)
        return true
    }

    /// Logs a moment of a retry. The first try is logged only if it fails.
    ///
    /// - Returns: Whether this is a retry.
    @discardableResult
    private func log(_ moment: StepTries.Moment) -> Bool {
        guard tries.retries > 0 else { return false }
        note(step: tries.line(at: moment))
        return true
    }

    private func record(succeeded: Bool) {
        let name = (test as? RetryableTestCase)?.reportName ?? TestName(of: test)
        let nanoseconds = DispatchTime.now().uptimeNanoseconds - startedAt.uptimeNanoseconds
        ProcessRun.shared.report.record(
            Step(
                test: name.name,
                module: name.module,
                action: tries.action,
                file: "\(place.file)",
                line: Int(clamping: place.line),
                retries: tries.retries,
                succeeded: succeeded,
                duration: Double(nanoseconds) / 1_000_000_000
            )
        )
    }
}
