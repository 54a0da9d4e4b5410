import Groundwork
import RetryReport

/// How much was retried, and how it ended.
struct ReportTotals: Hashable {
    /// Tests that were retried, or are still to be.
    var retried = 0
    /// How they ended, such as `5 flaky, 2 failed`; empty if there are none.
    var endings = ""
    var flaky = 0
    /// Those that never passed.
    var failed = 0
    var pending = 0
    /// Those of version 0.6.0, which did not say.
    var unknown = 0
    var retries = 0
    /// The seconds that the retries took.
    var timeLost = 0.0
    var steps = 0
    var stepRetries = 0

    /// - Parameters:
    ///   - report: The report.
    ///   - unmarked: Tests that failed and are not in it.
    init(_ report: Report, unmarked: Int = 0) {
        retried = report.retries.count
        endings = report.retries.endings(unmarked: unmarked)
        failed = unmarked
        for retry in report.retries {
            switch retry.outcome {
            case .recovered: flaky += 1
            case .failed: failed += 1
            case .pending: pending += 1
            case nil: unknown += 1
            }
            retries += retry.attemptedRetries.plausible
            timeLost += retry.timeLost
        }
        steps = report.steps.count
        stepRetries = report.steps.reduce(0) { $0 + $1.retries.plausible }
    }

    /// Such as `9 retries took 3.2 s`, or `9 retries` where the report, as that of version 0.6.0, has no durations; `nil` if
    /// there were none.
    var cost: String? {
        let count = retries.of("retry", "retries")
        return retries == 0 ? nil : timeLost > 0 ? "\(count) took \(Durations.words(timeLost))" : count
    }

    /// Such as `1 step took 2 retries`; `nil` if none did.
    var stepSentence: String? {
        steps == 0 ? nil : "\(steps.of("step")) took \(stepRetries.of("retry", "retries"))"
    }
}
