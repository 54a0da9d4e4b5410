import Groundwork
import RetryReport

/// How much was retried, and how it ended.
struct ReportTotals {
    /// Tests that were retried, or are still to be.
    let retried: Int
    /// How they ended, such as `5 flaky, 2 failed`; empty if there are none.
    let endings: String
    let flaky: Int
    /// Those that never passed.
    let failed: Int
    let pending: Int
    /// Those of version 0.6.0, which did not say.
    let unknown: Int
    let retries: Int
    /// The seconds that the retries took.
    let timeLost: Double
    let steps: Int
    let stepRetries: Int

    /// - Parameters:
    ///   - report: The report.
    ///   - unmarked: Tests that failed and are not in it.
    init(_ report: Report, unmarked: Int = 0) {
        func count(_ outcome: FlakyTest.Outcome?) -> Int { report.retries.count { $0.outcome == outcome } }
        retried = report.retries.count
        endings = report.retries.endings(unmarked: unmarked)
        flaky = count(.recovered)
        failed = count(.failed) + unmarked
        pending = count(.pending)
        unknown = count(nil)
        retries = report.retries.reduce(0) { $0 + $1.attemptedRetries.plausible }
        timeLost = report.retries.reduce(0) { $0 + $1.timeLost }
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
