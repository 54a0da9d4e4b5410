import Foundation
import Groundwork
import RetryCore
import RetryReport
import XCTest

/// One call of `autoRetry`, while it runs.
struct AutoRetryStep {
    let caller: Any
    /// The step's name, in its author's words.
    let action: String
    let allowedRetries: Int
    let failsTest: Bool
    /// In seconds; NaN and negative numbers are no delay.
    let delay: TimeInterval
    let place: (file: StaticString, line: UInt)
    let start = ProcessInfo.processInfo.systemUptime
    private(set) var retries = 0
    /// The error that ended a try last.
    private(set) var lastError: (tryNumber: Int, text: String)?
    /// `true` once the step's task is cancelled: no other try follows.
    private(set) var wasCancelled = false

    var isRetry: Bool { retries > 0 }

    private var hasNext: Bool { retries < allowedRetries && !wasCancelled }

    func begin() {
        StepObserver.register()
        if test != nil { StepObserver.endsAtExit.withLock { $0 = false } }
        if allowedRetries < 0 { failTest("autoRetry: retryAttempts is \(allowedRetries); allowed is 0 or more") }
    }

    /// Counts the next try, if there is one, and returns `false` if there is none.
    mutating func beginRetry() -> Bool {
        guard hasNext else { return false }
        retries += 1
        return true
    }

    /// Keeps the error of a failed try. Returns `false` for an error that is no failure of the step and ends it.
    mutating func noteFailure(_ error: any Error) -> Bool {
        if error is XCTSkip || error is CancellationError || error is StoppedAfterFlake {
            if isRetry { reportStep(succeeded: false) }
            return false
        }
        lastError = (retries + 1, "\(error)")
        return true
    }

    /// Logs that the try failed, and waits for the next one as XCTest's own waits do.
    func endFailedTry() {
        logFailedTry()
        guard hasNext, delay > 0 else { return }
        let end = DispatchTime.now() + min(delay, 86_400)  // a day; a number without bound would overflow
        if Thread.isMainThread { runMainLoop(until: end) }
        // On another thread, or where the main thread's run loop cannot run.
        _ = DispatchSemaphore(value: 0).wait(timeout: end)
    }

    mutating func endFailedTry(isolation: isolated (any Actor)?) async {
        logFailedTry()
        guard hasNext else { return }
        // A sleep throws only if the task is cancelled, which is checked next.
        if delay > 0 { try? await Task.sleep(nanoseconds: UInt64(min(delay, 86_400) * 1e9)) }
        wasCancelled = Task.isCancelled
    }

    func succeed() -> Int {
        logRetry(" \(action) required \(retries.of("retry attempt")) before success.")
        if isRetry { reportStep(succeeded: true) }
        return retries
    }

    func fail() -> Int {
        let times = "Auto Retry failed \(retries.of("time")) for action: \(action)."
        let end = failsTest ? "Failing test." : "Moving on to the next step without failing the test."
        logStep("♻️♻️♻️❌ [FAIL] \(times) No more retries will be attempted. \(end)")
        reportStep(succeeded: false)
        if failsTest {
            let tries = (retries + 1).of("try", "tries")
            let cancelled = wasCancelled ? ", and its task was cancelled" : ""
            let error = lastError.map { "; last error, thrown by try \($0.tryNumber): \($0.text)" } ?? ""
            failTest("autoRetry: \(action) did not succeed in \(tries)\(cancelled)\(error)".escapingControlCharacters)
        }
        return retries
    }

    private func reportStep(succeeded: Bool) {
        let test = test
        let name = test.map(TestName.init(of:))
        var step = Step(
            test: name?.name ?? "\(type(of: caller))",
            action: action,
            retries: retries,
            succeeded: succeeded,
            duration: ProcessInfo.processInfo.systemUptime - start
        )
        step.module = name?.module
        (step.file, step.line) = ("\(place.file)", Int(clamping: place.line))
        ProcessContext.shared.report.put(step)
        // A RetryableTestCase attaches the report once, when it ends.
        guard let attempt = (test as? RetryableTestCase)?.attempt else { return attachReport(afterRetry: false) }
        attempt.hasRetriedStep = true
    }

    /// The test case that called; for a page object the running test, known in runs with a `RetryableTestCase`.
    private var test: XCTestCase? { caller as? XCTestCase ?? TestsInProgress.test }

    private func failTest(_ message: String) {
        if let test, test.testRun?.stopDate != nil {
            log("\(message); \(test.name) has ended, so the test that runs now fails, if there is one")
        }
        let before = SeenXCTest.failures.withLock(\.self)
        XCTFail(message, file: place.file, line: place.line)
        guard (caller as? XCTestCase)?.testRun == nil, SeenXCTest.hasLostFailure(since: before) else { return }
        // No test of XCTest runs, so XCTFail had no effect, and the run would be green.
        log("\(message); the process ends, because XCTest runs no test that could fail")
        StepObserver.endsAtExit.withLock { $0 = false }
        exit(1)
    }
}

// MARK: - The log

// The flags and symbols are those of eBay's TargetedAutoRetry, because scripts search for them. The number in brackets counts
// retries; it is 0 for the first try, which is logged only if it fails.
extension AutoRetryStep {
    func logReset() {
        logRetry("⏪ [RESET STEPS: \(retries)] Run Reset Steps to Retry action: \(action).")
    }

    func logAction() {
        logRetry("▶️ [NEW RETRY ACTION: \(retries)] \(action). \(counts)")
    }

    func logCondition() {
        logRetry("⏱ [SUCCESS CONDITION: \(retries)] Wait for Success Condition for action: \(action). \(counts)")
    }

    private func logRetry(_ text: String) {
        if isRetry { logStep("♻️♻️♻️\(text)") }
    }

    private func logFailedTry() {
        let tries = "Number of attempts: \(retries + 1). Attempts remaining: \(remaining)."
        let next = remaining > 0 ? "Retrying." : "No more retries will be attempted."
        let error = lastError.map { $0.tryNumber == retries + 1 ? " Error: \($0.text)" : "" } ?? ""
        logStep("♻️♻️♻️ [RETRY INFO: \(retries)] \(action) Attempt Unsuccessful. \(tries) \(next)\(error)")
    }

    private var counts: String { "Retry attempt: \(retries). Attempts remaining: \(remaining)." }

    private var remaining: Int { max(0, allowedRetries - retries) }
}

// MARK: - Where there may be no RetryableTestCase

/// Sees whether XCTest records a step's failure, and completes the report where only steps of plain `XCTestCase`s use Retryable.
final class StepObserver: NSObject, Sendable {
    /// Opens the report and registers the observer, once.
    static func register() { registration }

    private static let registration: Void = {
        // Where there is a RetryableTestCase, its observer has opened the report before any test ran, and completes it.
        let completesReport = ProcessContext.shared.openReport(inMidRun: true)
        addWhereAllowed(StepObserver(completesReport: completesReport))
        guard completesReport else { return }
        ProcessExit.watch({ [] }) { if endsAtExit.withLock(\.self) { ProcessContext.shared.finish() } }
    }()

    /// Swift Testing has no event for the end of its run, but its process then calls `exit`, which is no end of XCTest's tests.
    static let endsAtExit = Locked(true)

    private let completesReport: Bool

    private init(completesReport: Bool) { self.completesReport = completesReport }

    func add() {
        XCTestObservationCenter.shared.addTestObserver(self)
        SeenXCTest.failures.withLock { $0 = $0 ?? 0 }
    }

    /// Notes that XCTest runs tests.
    func noteTest() { Self.endsAtExit.withLock { $0 = false } }

    func endBundle() { if completesReport { ProcessContext.shared.finish() } }
}
