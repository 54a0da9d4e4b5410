import RetryReport

/// What is said on standard error when everything has run: what flaked and how it ended.
package struct LastWord {
    /// What the run's mode did.
    package struct Effects: Hashable, Sendable {
        /// Attempts that flaked.
        package var flakes = 0
        /// Failures that would have been flakes if the mode were not strict.
        package var strictFailures = 0
        /// Failures that would have been flakes but for the limit.
        package var beyondLimit = 0
        /// Tests that recovered and failed the run all the same.
        package var failedThoughRecovered = 0
        /// Rounds that waited before they began.
        package var delays = 0

        package init() {}
    }

    private let retries: [Retry]
    private let effects: Effects
    private let mode: RunMode
    private let report: String?

    /// - Parameters:
    ///   - retries: What flaked, in the order in which it did.
    ///   - effects: What the run's mode did.
    ///   - mode: The run's mode.
    ///   - report: Where the report is; `nil` if there is none.
    package init(retries: [Retry], effects: Effects, mode: RunMode, report: String?) {
        self.retries = retries
        self.effects = effects
        self.mode = mode
        self.report = report
    }

    /// The lines; none if nothing flaked and the mode changed nothing.
    package var lines: [String] {
        var lines: [String] = []
        if !retries.isEmpty {
            lines.append(total)
            lines += retries.map(line)
        }
        lines += modeLines
        if !retries.isEmpty, let report { lines.append("report: \(report)") }
        return lines
    }

    private var total: String {
        let counts = [Retry.Outcome.recovered, .failed, .pending].compactMap { outcome -> String? in
            let count = retries.count { $0.outcome == outcome }
            return count == 0 && outcome == .pending ? nil : "\(count) \(outcome.rawValue)"
        }
        return "\(retries.count.of("test")) flaked: \(counts.joined(separator: ", "))"
    }

    private func line(_ retry: Retry) -> String {
        let outcome = (retry.outcome ?? .pending).rawValue
        let kind = retry.fixable ? "fixable" : "not fixable"
        let used = "\(retry.attemptedRetries) of \(retry.maxRetriesAllowed.of("retry", "retries")) used"
        let place = retry.file.map { ", at \($0):\(retry.line ?? 0)" } ?? ""
        return "\(outcome) \(retry.name), \(used): \(retry.reason) (\(kind))\(place)"
    }

    private var modeLines: [String] {
        var lines: [String] = []
        if effects.strictFailures > 0 {
            lines.append("RETRYABLE_MODE=strict: \(effects.strictFailures.of("failure")) in flaky sections not retried")
        }
        if effects.beyondLimit > 0, let limit = mode.maxFlakes {
            let refused = effects.beyondLimit.of("failure")
            lines.append("RETRYABLE_MAX_FLAKES=\(limit): the limit was reached, \(refused) after it not retried")
        }
        if effects.delays > 0 {
            let rounds = effects.delays.of("round")
            lines.append("RETRYABLE_RETRY_DELAY=\(mode.retryDelay): waited before \(rounds) of retries")
        }
        if effects.failedThoughRecovered > 0 {
            let tests = effects.failedThoughRecovered.of("test")
            lines.append("RETRYABLE_FAIL_ON_FLAKY=1: \(tests) recovered and failed the run all the same")
        }
        return lines
    }
}

extension Int {
    /// `1 test`, `2 tests`.
    package func of(_ singular: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
    }
}
