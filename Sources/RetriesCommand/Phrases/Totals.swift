import RetryReport

/// How much was retried, and how it ended.
struct Totals: Hashable {
    /// Tests that were retried, or are still to be.
    var retried = 0
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

    init(_ report: Report) {
        retried = report.retries.count
        for retry in report.retries {
            switch retry.outcome {
            case .recovered: flaky += 1
            case .failed: failed += 1
            case .pending: pending += 1
            case nil: unknown += 1
            }
            retries += retry.attemptedRetries.sane
            timeLost += retry.timeLost
        }
        steps = report.steps.count
        stepRetries = report.steps.reduce(0) { $0 + $1.retries.sane }
    }

    /// Such as `5 flaky, 2 failed`; what there is none of is left out. Empty if there is nothing.
    var endings: String {
        [(flaky, "flaky"), (failed, "failed"), (pending, "pending"), (unknown, "of unknown outcome")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// Such as `9 retries took 3.2 s`; `nil` if there were none.
    var cost: String? {
        retries == 0 ? nil : "\(retries.of("retry", "retries")) took \(Durations.words(timeLost))"
    }

    /// Such as `1 step took 2 retries`; `nil` if none did.
    var stepSentence: String? {
        steps == 0 ? nil : "\(steps.of("step")) took \(stepRetries.of("retry", "retries"))"
    }
}

extension Int {
    /// Such as `1 test`, `2 tests`.
    func of(_ one: String, _ many: String? = nil) -> String {
        self == 1 ? "1 \(one)" : "\(self) \(many ?? one + "s")"
    }

    /// This count where it can be one. A report is only a file: it may claim what no run has.
    var sane: Int {
        Swift.min(Swift.max(self, 0), 1_000_000_000)
    }
}
