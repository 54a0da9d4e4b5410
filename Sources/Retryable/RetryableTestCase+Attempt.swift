import Foundation
import RetryCore
import RetryReport
import XCTest

extension RetryableTestCase {
    /// How many attempts of this test came before the current one: 0 on the first.
    public var retryCount: Int { story?.retryCount ?? 0 }

    /// Puts an attempt that has flaked into the report, so that it stands there before anybody is told.
    ///
    /// - Returns: What to tell; `nil` if the attempt is not one to run again.
    func announce() -> String? {
        guard let execution, execution.isFlaky, let flake = execution.flake, let testRun else { return nil }
        record(execution, testRun, flake: flake, attempt: .flaked, outcome: .pending)
        return Wording(flake, failureCount: execution.failures.count, retryCount: retryCount).announcement
    }

    /// Fails a retry that did not show that the test passes, while its run still listens.
    ///
    /// - Parameter hasRun: Whether the test method has run.
    func settle(hasRun: Bool = true) {
        guard let story, let execution, execution.flake == nil, !execution.hasFailed, let testRun else { return }
        let flaked = story.flake.failure
        let section = story.flake.section.place
        let place = Place(file: flaked.file ?? section.file, line: flaked.line ?? section.line)
        if testRun.hasBeenSkipped {
            execution.noteSkip()
            recordReal("\(flaked.message) (it flaked with this, and the retry was skipped)", at: place)
        } else if !hasRun {
            recordReal("\(flaked.message) (it flaked with this, and the retry did not run the test)", at: place)
        } else if Ledger.shared.mode.failsOnFlaky {
            Ledger.shared.noteFailureOfRecovered()
            let reason = story.flake.section.mark.reason
            fail(
                "recovered on retry \(retryCount), which RETRYABLE_FAIL_ON_FLAKY=1 counts as failed: \(reason)",
                at: place
            )
        }
    }

    /// Decides, when its run has ended, what comes after an attempt.
    ///
    /// - Parameter hasShown: Whether the test's result shows that it flaked.
    func conclude(_ run: XCTestRun, hasShown: Bool) {
        execution?.noteEnd()
        recordSoFar(run)
        guard let execution, let flake = execution.flake else { return }
        if execution.hasFailed {
            let count = execution.failures.count { !$0.isAftermath }
            say("\(name): \(Wording(flake, failureCount: count, retryCount: retryCount).notRetried)")
        } else {
            if !hasShown {
                let count = execution.failures.count
                say("\(name): \(Wording(flake, failureCount: count, retryCount: retryCount).announcement)")
            }
            let next = Story(test: story?.test ?? reportName, retryCount: retryCount + 1, flake: flake)
            RetryQueue.add(queued(for: next))
        }
    }

    /// Puts into the report what an attempt came to so far; when its run has ended, that is all there is.
    func recordSoFar(_ run: XCTestRun) {
        guard let execution else { return }
        let flake = execution.flake
        guard flake != nil || story != nil else { return }
        if execution.hasFailed {
            let attempt = execution.wasSkipped ? Retry.Attempt.Outcome.skipped : .failed
            record(execution, run, flake: flake, attempt: attempt, outcome: .failed)
        } else if let flake {
            record(execution, run, flake: flake, attempt: .flaked, outcome: .pending)
        } else {
            record(execution, run, flake: nil, attempt: .passed, outcome: .recovered)
        }
    }

    /// Records a failure that no section can hold back.
    func recordReal(_ message: String, at place: Place) {
        execution?.recordReal(Failure(message: message, file: place.file, line: place.line, kind: .assertion))
        fail(message, at: place)
    }

    private func record(
        _ execution: Execution,
        _ run: XCTestRun,
        flake: Flake?,
        attempt outcome: Retry.Attempt.Outcome,
        outcome testOutcome: Retry.Outcome
    ) {
        let startedAt = run.startDate ?? Date()
        let attempt = Retry.Attempt(
            number: retryCount + 1,
            outcome: outcome,
            startedAt: startedAt,
            duration: (run.stopDate ?? Date()).timeIntervalSince(startedAt),
            failures: execution.failures
        )
        Ledger.shared.record(story?.test ?? reportName, flake: flake, attempt: attempt, outcome: testOutcome)
    }
}
