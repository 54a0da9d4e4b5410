import Foundation
import RetryCore
import RetryReport
import XCTest

// The steps of an attempt, by the functions below and in `Platform`, and where each is called. Of those that are called twice,
// the second call does nothing, but for `reportAttempt`, which is called in several steps.
//
// | step | on Linux | on Apple's systems |
// |---|---|---|
// | `beginAttempt` | `AttemptRun.start` | the same |
// | `judgeRecorded` | `JudgingRun.recordFailure`, for each failure | `JudgingRun.record`, for each failure |
// | `judgeThrown` | `runMethod`, for an error that ends the method | none, as XCTest records the error itself |
// | `announceFlake` | `runMethod`, before `tearDown`: an `XCTSkip`, which only the method can throw | `invokeTest`, after `verifyAttempt`: an activity with every failure in it |
// | `verifyAttempt` | `AttemptRun.stop`, while failures still count | `invokeTest`, after `tearDown`; then `AttemptRun.stop` |
// | `finishAttempt` | `AttemptRun.stop`, at its end; announces a flake that came too late for `runMethod` | `AttemptRun.stop`, at its end |

/// The run of one attempt. XCTest makes it, starts it and stops it, and no subclass of a test can replace it.
class AttemptRun: XCTestCaseRun {
    var retryable: RetryableTestCase? { test as? RetryableTestCase }

    override func start() {
        retryable?.beginAttempt()
        super.start()
    }

    override func stop() {
        retryable?.verifyAttempt()
        retryable?.attempt?.releaseErrors()
        // Before the run stops: after that, XCTest ends the process if a thread records a failure.
        retryable?.reportAttempt()
        super.stop()
        retryable?.finishAttempt()
    }
}

extension RetryableTestCase {
    func beginAttempt() {
        Attempt.warmUp
        let canRunAgain = previousAttempt != nil || canBeMadeAgain && TestsInProgress.hasOnlySuites
        attempt = Attempt(retryCount: retryCount, canRunAgain: canRunAgain)
        attempt?.beginTaskOrderOnMainThread()
    }

    /// Reports an attempt that has flaked before it shows it, so that no flake is shown that the report lacks.
    /// Only the first call does anything.
    func announceFlake(_ show: (Flake, String) throws -> Void) rethrows {
        guard let attempt, let flake = attempt.takeUnannounced() else { return }
        let machine = MachineLoad.recent ?? .now()
        attempt.change { $0.machine = machine }
        reportAttempt()
        try show(flake, attempt.announcement(of: flake))
    }

    /// Fails a retry that has not shown that the test passes, and judges what XCTest kept back. Only the first call does anything.
    func verifyAttempt() {
        guard let attempt, let testRun, attempt.advance(to: .verification) else { return }
        judgeKeptError(of: attempt)
        guard !attempt.needsRetry else { return }
        if testRun.totalFailureCount == 0, let failure = attempt.methodError {
            return record(failure)  // an override has kept it from the run
        }
        guard let flake = previousAttempt?.flake, !attempt.hasFailed else { return }
        if testRun.hasBeenSkipped {
            fail(with: flake.failure(because: "and the retry was skipped"), wasSkipped: true)
        } else if !attempt.hasReturned {
            fail(with: flake.failure(because: "and the retry did not run the test to its end"))
        } else if let failure = attempt.countRecovered(from: flake) {
            record(failure)
        }
    }

    /// Judges an error of `XCTUnwrap` that another attempt or test had kept, for example in a `Result`, and that left a section
    /// outside of the test method. XCTest recorded it there and is silent here.
    private func judgeKeptError(of attempt: Attempt) {
        guard attempt.record.failures.isEmpty else { return }
        let errors = attempt.errorsOutsideOfMethod.compactMap(\.self)
        guard let kept = errors.first(where: \.isRecordedWhereThrown) else { return }
        let failure = Failure(unplaced: "threw an error of XCTUnwrap, whose failure was recorded elsewhere: \(kept)")
        let verdict = attempt.judge(failure, in: attempt.sections(leftBy: kept))
        callDidFlake(after: verdict)
        if !verdict.isSuppressed { record(Failure(unplaced: failure.message + verdict.explanation)) }
    }

    /// Ends the attempt and, if it flaked, queues its retry.
    func finishAttempt() {
        guard let attempt, !attempt.hasEnded else { return }
        attempt.endTaskOrder()
        ProcessContext.shared.report.count(attempt.end(), module: reportName.module)
        announceFlake { log("\(name): \($1)") }
        reportAttempt()
        guard let flake = attempt.flake else { return }
        guard attempt.needsRetry else { return log("\(name): \(attempt.announcement(of: flake))") }
        RetryQueue.add(self, after: attempt)
        // Not before its record is on disk: until then, a crash must count as interrupting this attempt.
        if let testRun { SharedProgress.current?.endAttempt(Totals(of: testRun), needsRetry: true) }
    }

    /// Fails the test regardless of sections.
    func fail(with failure: Failure, wasSkipped: Bool = false) {
        attempt?.fail(with: failure, wasSkipped: wasSkipped)
        record(failure)
    }

    /// Records a failure that neither a section nor a subclass's override can suppress.
    func record(_ failure: Failure) {
        (testRun as? JudgingRun)?.recordUnjudged(failure)
    }

    /// Reports the current state of an attempt that flaked or is a retry.
    func reportAttempt() {
        guard let attempt, let testRun, attempt.flake != nil || previousAttempt != nil else { return }
        let start = testRun.startDate ?? Date()
        let duration = (testRun.stopDate ?? Date()).timeIntervalSince(start)
        ProcessContext.shared.report.put(attempt, of: reportName, since: start, duration: duration)
    }
}

// MARK: - XCTest's words

extension Failure {
    /// An error ended the test method, its `setUp` or its `tearDown`. XCTest gives no place for it.
    var isThrown: Bool { kind == .error && file == nil }

    /// An expectation was not waited for. Only XCTest's message shows it; these two words are in it on all systems.
    ///
    /// If they change, a test that a flake has cut short also fails for the expectations that it did not reach.
    var isOfUnwaitedExpectation: Bool { !isThrown && message.contains("unwaited expectation") }
}
