import RetryReport

/// How much was retried, and how it ended.
struct Totals: Hashable {
    var tests = 0
    var recovered = 0
    var failed = 0
    var pending = 0
    /// Those of version 0.6.0, which did not say.
    var unknown = 0
    var retries = 0
    var steps = 0
    var stepRetries = 0

    init(_ report: Report) {
        tests = report.retries.count
        for retry in report.retries {
            switch retry.outcome {
            case .recovered: recovered += 1
            case .failed: failed += 1
            case .pending: pending += 1
            case nil: unknown += 1
            }
            retries += retry.attemptedRetries.sane
        }
        steps = report.steps.count
        stepRetries = report.steps.reduce(0) { $0 + $1.retries.sane }
    }

    /// Such as `2 recovered, 1 failed`; endings that none had are left out.
    var endings: String {
        [(recovered, "recovered"), (failed, "failed"), (pending, "pending"), (unknown, "of unknown outcome")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// Such as `3 tests flaked: 2 recovered, 1 failed`.
    var sentence: String {
        tests == 0 ? "No test flaked" : "\(tests.of("test")) flaked: \(endings)"
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
