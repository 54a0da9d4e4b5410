import Foundation
import RetryCore
import RetryReport
import XCTest

// An attempt of a test goes through these steps, in this order, on every platform:
//
// | step | when |
// |---|---|
// | begin | the attempt's run is about to start |
// | judge | a failure is to be recorded in the run; at each |
// | announce | the test method is over |
// | verify | the run is about to stop, and still counts what fails |
// | finish | the run has stopped |

/// The run of one attempt. XCTest makes it, starts it and stops it, and no subclass of a test can replace it.
class AttemptRun: XCTestCaseRun {
    var retryable: RetryableTestCase? { test as? RetryableTestCase }

    override func start() {
        retryable?.beginAttempt()
        super.start()
    }

    override func stop() {
        retryable?.verifyPassed(self)
        retryable?.attempt?.releaseErrors()
        super.stop()
        retryable?.finishAttempt(self)
    }
}

/// The flake of the attempt before the one that is about to run.
///
/// A class, so that it takes one word in the many tests that have none.
final class PreviousFlake: Sendable {
    /// The test's name in the report.
    let test: TestName
    /// The number of attempts before the one that is about to run.
    let retryCount: Int
    let flake: Flake

    init(test: TestName, retryCount: Int, flake: Flake) {
        self.test = test
        self.retryCount = retryCount
        self.flake = flake
    }
}

extension RetryableTestCase {
    func beginAttempt() {
        attempt = Attempt(retryCount: retryCount)
        hasShownFlake = false
    }

    func judge(
        _ failure: Failure,
        in sections: EnclosingSections,
        isOfUnwaitedExpectation: Bool = false
    ) -> Verdict {
        guard let attempt else { return .real }
        return attempt.judge(
            failure,
            in: sections,
            stopsAtFailure: stopsAtFailure,
            isOfUnwaitedExpectation: isOfUnwaitedExpectation,
            canRunAgain: previousFlake != nil || TestsInProgress.contain(self)
        )
    }

    /// Puts an attempt that has flaked into the report, and then shows it, so that nothing is shown that the report lacks.
    ///
    /// - Parameter show: Shows the flake in the test's result, with a line that says so.
    func announce(_ show: (Flake, String) throws -> Void) rethrows {
        guard let attempt, attempt.needsRetry, let flake = attempt.flake, let testRun else { return }
        attempt.machine = .now()
        report(testRun)
        hasShownFlake = true
        try show(flake, attempt.announcement(of: flake))
    }

    /// Fails an attempt that has not shown that the test passes. Only the first call does anything.
    func verifyPassed(_ run: XCTestRun) {
        guard let attempt, attempt.beginVerifying() else { return }
        judgeKeptError(of: attempt, run)
        guard !attempt.needsRetry else { return }
        if run.totalFailureCount == 0, let failure = attempt.methodError {
            return fail(failure, in: run)  // an override has kept it from the run
        }
        guard let previousFlake, !attempt.hasFailed else { return }
        if run.hasBeenSkipped {
            attempt.fail(wasSkipped: true)
            failForReal(previousFlake.flake.failure(because: "and the retry was skipped"), in: run)
        } else if !attempt.hasReturned {
            failForReal(previousFlake.flake.failure(because: "and the retry did not run the test to its end"), in: run)
        } else if let failure = attempt.failureOfRecovered(from: previousFlake.flake) {
            fail(failure, in: run)
        }
    }

    /// Judges an error of `XCTUnwrap` that was kept, such as in a `Result`: it was recorded in another attempt or test, and XCTest
    /// does not record it again. Here it left a section outside of the test method, and nothing in this attempt was recorded.
    private func judgeKeptError(of attempt: Attempt, _ run: XCTestRun) {
        guard attempt.failures.isEmpty else { return }
        guard let kept = attempt.errorsOutsideOfMethod.first(where: \.isRecordedWhereThrown) else { return }
        let failure = Failure(unplaced: "threw an error of XCTUnwrap, whose failure was recorded elsewhere: \(kept)")
        let verdict = judge(failure, in: attempt.sections(leftBy: kept))
        if verdict.ending != nil { fail(failure, in: run) }
    }

    /// Ends the attempt, and queues the next one if it flaked.
    func finishAttempt(_ run: XCTestRun) {
        guard let attempt, !attempt.hasEnded else { return }
        ProcessRun.shared.report.count(attempt.end(), module: reportName.module)
        if attempt.needsRetry, !hasShownFlake { attempt.machine = .now() }
        report(run)
        guard let flake = attempt.flake else { return }
        guard attempt.needsRetry else { return log("\(name): \(attempt.announcement(of: flake, isRetried: false))") }
        if !hasShownFlake { log("\(name): \(attempt.announcement(of: flake))") }
        let next = PreviousFlake(test: previousFlake?.test ?? reportName, retryCount: retryCount + 1, flake: flake)
        RetryQueue.add(queued(after: next))
    }

    /// Stops the run of a test that a subclass's override did not run, or not to its end.
    func stopRun() {
        guard let testRun, testRun.stopDate == nil else { return }
        if testRun.startDate == nil { testRun.start() }
        testRun.stop()
    }

    /// Fails the test in spite of all sections.
    func failForReal(_ failure: Failure, in run: XCTestRun?) {
        attempt?.fail(with: failure)
        if let run { fail(failure, in: run) }
    }

    /// Records a failure that neither a section nor a subclass's override can suppress.
    func fail(_ failure: Failure, in run: XCTestRun) {
        (run as? JudgingRun)?.recordUnjudged(failure)
    }

    /// Puts an attempt that flaked, or is a retry, into the report as it is so far.
    func report(_ run: XCTestRun) {
        guard let attempt, attempt.flake != nil || previousFlake != nil else { return }
        let start = run.startDate ?? Date()
        let duration = (run.stopDate ?? Date()).timeIntervalSince(start)
        let name = previousFlake?.test ?? reportName
        ProcessRun.shared.report.record(attempt, of: name, since: start, duration: duration)
    }
}
