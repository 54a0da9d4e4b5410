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
        guard let attempt, attempt.isFlaky, let flake = attempt.flake, let testRun else { return nil }
        record(attempt, testRun, flake: flake, as: .flaked, outcome: .pending)
        return Wording(flake, failureCount: attempt.failures.count, retryCount: retryCount).announcement
    }

    /// Fails a retry that did not show that the test passes, while its run still listens.
    ///
    /// - Parameter hasRun: Whether the test method has run.
    func settle(hasRun: Bool = true) {
        guard let story, let attempt, attempt.flake == nil, !attempt.hasFailed, let testRun else { return }
        let flaked = story.flake.failure
        let section = story.flake.section.place
        let place = Place(file: flaked.file ?? section.file, line: flaked.line ?? section.line)
        if testRun.hasBeenSkipped {
            attempt.noteSkip()
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
        attempt?.noteEnd()
        recordSoFar(run)
        guard let attempt, let flake = attempt.flake else { return }
        if attempt.hasFailed {
            let count = attempt.failures.count { !$0.isAftermath }
            say("\(name): \(Wording(flake, failureCount: count, retryCount: retryCount).notRetried)")
        } else {
            if !hasShown {
                let count = attempt.failures.count
                say("\(name): \(Wording(flake, failureCount: count, retryCount: retryCount).announcement)")
            }
            let next = Story(test: story?.test ?? reportName, retryCount: retryCount + 1, flake: flake)
            RetryQueue.add(queued(for: next))
        }
    }

    /// Puts into the report what an attempt came to so far; when its run has ended, that is all there is.
    func recordSoFar(_ run: XCTestRun) {
        guard let attempt else { return }
        let flake = attempt.flake
        guard flake != nil || story != nil else { return }
        if attempt.hasFailed {
            record(attempt, run, flake: flake, as: attempt.wasSkipped ? .skipped : .failed, outcome: .failed)
        } else if let flake {
            record(attempt, run, flake: flake, as: .flaked, outcome: .pending)
        } else {
            record(attempt, run, flake: nil, as: .passed, outcome: .recovered)
        }
    }

    /// Records a failure that no section can hold back.
    func recordReal(_ message: String, at place: Place) {
        attempt?.recordReal(Failure(message: message, file: place.file, line: place.line, kind: .assertion))
        fail(message, at: place)
    }

    private func record(
        _ attempt: Attempt,
        _ run: XCTestRun,
        flake: Flake?,
        as outcome: Retry.Attempt.Outcome,
        outcome testOutcome: Retry.Outcome
    ) {
        let startedAt = run.startDate ?? Date()
        let told = Retry.Attempt(
            number: retryCount + 1,
            outcome: outcome,
            startedAt: startedAt,
            duration: (run.stopDate ?? Date()).timeIntervalSince(startedAt),
            failures: attempt.failures
        )
        Ledger.shared.record(story?.test ?? reportName, flake: flake, attempt: told, outcome: testOutcome)
    }
}
