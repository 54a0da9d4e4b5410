import Foundation
import Groundwork
import RetryReport

/// A suppressed failure, and the section that suppressed it.
package struct Flake: Sendable {
    package var section: Section
    package var failure: Failure

    /// The failure's place; the section's if the test framework gave none.
    package var place: Place {
        (failure.file ?? section.place.file, failure.line ?? section.place.line)
    }

    /// The failure of a test that has flaked and was not seen to pass.
    ///
    /// - Parameter what: The reason why no retry passed, such as `and the retry was skipped`.
    package func failure(because what: String) -> Failure {
        Failure("\(failure.message) (it flaked with this, \(what))", at: place)
    }
}

extension Attempt {
    /// The line that announces a flake. It has the failure, its place, the reason, and the retry that follows, if one does.
    package func announcement(of flake: Flake) -> String {
        let mark = flake.section.mark
        let place = "\(process.report.relative(flake.place.file)):\(flake.place.line)"
        let count = record.failures.count
        let more = count > 1 ? " (and \(count - 1) more)" : ""
        let retry =
            needsRetry
            ? "retry \(retryCount + 1) of \(mark.maxRetryCount) follows"
            : "not retried, because the test also failed outside the section"
        let failure = "\(flake.failure.displayMessage)\(more)"
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let cause = record.machine?.cause(processors: processors).map { " \($0)" } ?? ""
        return "flaked at \(place)\(cause): \(failure); \(mark.words); \(retry)".escapingControlCharacters
    }

    /// Counts a recovered test under `RETRYABLE_FAIL_ON_FLAKY`.
    ///
    /// - Returns: The failure to record for it; `nil` without that setting.
    package func countRecovered(from flake: Flake) -> Failure? {
        guard process.settings.failsOnFlaky else { return nil }
        process.count(\.failedThoughRecovered)
        let mode = "RETRYABLE_FAIL_ON_FLAKY=1"
        let message = "recovered on retry \(retryCount), which \(mode) counts as failed: \(flake.section.mark.reason)"
        return Failure(message, at: flake.place)
    }
}

extension Failure {
    /// A failure that Retryable itself finds.
    package init(_ message: String, at place: Place) {
        self.init(message: message, file: place.file, line: place.line, kind: .assertion)
    }

    /// An error of which no place is known.
    package init(unplaced message: String) {
        self.init(message: message, file: nil, line: nil, kind: .error)
    }
}
