import Foundation
import RetryCore
import RetryReport
import XCTest

/// What an attempt of a test goes through, in this order, on every platform:
///
/// | step | when |
/// |---|---|
/// | begin | the attempt's run is about to start |
/// | judge | XCTest tells of a failure; at each |
/// | announce | the test method is over |
/// | settle | the run is about to end, and still counts what fails |
/// | conclude | the run has ended |
extension PlatformTestCase {
    // MARK: Begin

    func begin() {
        let attempt = Attempt(retryCount: retryCount)
        attempt.belongHere()
        self.attempt = attempt
        hasShownFlake = false
    }

    // MARK: Judge

    /// Says what becomes of a failure.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - sections: The sections that it is inside of, innermost first; `nil` if they are those in which this is called.
    ///   - isOfUnwaitedExpectation: Whether it tells of an expectation that nobody waited for.
    func judge(
        _ failure: Failure,
        in sections: [Section]? = nil,
        isOfUnwaitedExpectation: Bool = false
    ) -> Verdict {
        guard let attempt else { return .real }
        return attempt.judge(
            failure,
            in: sections,
            stopsAtFailure: stopsAtFailure,
            isOfUnwaitedExpectation: isOfUnwaitedExpectation,
            canRunAgain: { previousFlake != nil || TestsInProgress.contain(self) },
            refusal: ProcessRun.shared.refusal
        )
    }

    // MARK: Announce

    /// Puts an attempt that has flaked into the report, and then shows it, so that nothing is shown that the report lacks.
    ///
    /// - Parameter show: Shows the flake in the test's result, with a line that says so.
    func announce(_ show: (Flake, String) throws -> Void) rethrows {
        guard let attempt, attempt.needsRetry, let flake = attempt.flake, let testRun else { return }
        report(testRun)
        hasShownFlake = true
        try show(flake, attempt.announcement(of: flake))
    }

    // MARK: Settle

    /// Fails an attempt that has not shown that the test passes. Only the first call does anything.
    func settle(_ run: XCTestRun) {
        guard let attempt, attempt.settle(), !attempt.needsRetry else { return }
        if case .threw(let failure?) = attempt.method, run.totalFailureCount == 0 {
            // It was recorded, but in another attempt; or an override has kept it from the run.
            if !attempt.hasFailed { attempt.fail(with: failure) }
            fail(failure, in: run)
            return
        }
        guard let previousFlake, !attempt.hasFailed else { return }
        if run.hasBeenSkipped {
            attempt.skip()
            failForReal(previousFlake.flake.failure(because: "and the retry was skipped"), in: run)
        } else if attempt.method != .returned {
            failForReal(previousFlake.flake.failure(because: "and the retry did not run the test"), in: run)
        } else if let failure = attempt.failureThoughRecovered(from: previousFlake.flake) {
            fail(failure, in: run)
        }
    }

    // MARK: Conclude

    /// Decides what comes after an attempt.
    func conclude(_ run: XCTestRun) {
        guard let attempt, !attempt.hasEnded else { return }
        ProcessRun.shared.report.count(attempt.end(), module: reportName.module)
        report(run)
        guard let flake = attempt.flake else { return }
        guard attempt.needsRetry else { return log("\(name): \(attempt.announcement(of: flake, isRetried: false))") }
        if !hasShownFlake { log("\(name): \(attempt.announcement(of: flake))") }
        let next = PreviousFlake(test: previousFlake?.test ?? reportName, retryCount: retryCount + 1, flake: flake)
        RetryQueue.add(queued(after: next))
    }

    /// Ends the run of a test that a subclass's override did not run, or not to its end, so that it settles and concludes.
    func endRun() {
        guard let testRun, testRun.stopDate == nil else { return }
        if testRun.startDate == nil { testRun.start() }
        testRun.stop()
    }

    // MARK: - Shared by the steps

    /// Fails the test in spite of all sections.
    func failForReal(_ failure: Failure, in run: XCTestRun?) {
        attempt?.fail(with: failure)
        if let run { fail(failure, in: run) }
    }

    /// Puts an attempt that flaked, or is a retry, into the report as it is so far.
    func report(_ run: XCTestRun) {
        guard let attempt, attempt.flake != nil || previousFlake != nil else { return }
        let start = run.startDate ?? Date()
        let duration = (run.stopDate ?? Date()).timeIntervalSince(start)
        let test = previousFlake?.test ?? reportName
        ProcessRun.shared.report.record(attempt, of: test, since: start, duration: duration)
    }
}
