import Foundation
import Groundwork
import RetryReport

// What a person reads about a flake, on one line.

extension Attempt {
    /// The line that announces a flake: the failure, its place, the reason, and the retry that follows.
    ///
    /// - Parameter isRetried: `false` if something else in the attempt failed for real.
    package func announcement(of flake: Flake, isRetried: Bool = true) -> String {
        let mark = flake.section.mark
        let place = "\(ProcessRun.shared.relative(flake.place.file)):\(flake.place.line)"
        let count = failures.count
        let more = count > 1 ? " (and \(count - 1) more)" : ""
        let retry =
            isRetried
            ? "retry \(retryCount + 1) of \(mark.maxRetryCount) follows"
            : "not retried, because the test also failed outside the section"
        let failure = "\(flake.failure.displayMessage)\(more)"
        let cause = machine?.cause(processors: ProcessInfo.processInfo.activeProcessorCount).map { " \($0)" } ?? ""
        return "flaked at \(place)\(cause): \(failure); \(mark.words); \(retry)".escapingControlCharacters
    }

    /// Counts a recovered test under `RETRYABLE_FAIL_ON_FLAKY`.
    ///
    /// - Returns: The failure to record for it; `nil` without that setting.
    package func failureOfRecovered(from flake: Flake) -> Failure? {
        guard ProcessRun.shared.settings.failsOnFlaky else { return nil }
        ProcessRun.shared.noteFailureOfRecovered()
        let mode = "RETRYABLE_FAIL_ON_FLAKY=1"
        let message = "recovered on retry \(retryCount), which \(mode) counts as failed: \(flake.section.mark.reason)"
        return Failure(message, at: flake.place)
    }
}

extension Flake {
    /// The failure of a test that has flaked and is not seen to pass.
    ///
    /// - Parameter what: The event that took the place of a retry that passes.
    package func failure(because what: String) -> Failure {
        Failure("\(failure.message) (it flaked with this, \(what))", at: place)
    }
}
