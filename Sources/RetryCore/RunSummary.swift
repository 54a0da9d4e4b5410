import Groundwork
import RetryReport

/// The lines on standard error when everything has run: what flaked and how it ended.
package struct RunSummary {
    /// What the run's mode did.
    package struct Effects: Hashable, Sendable, BitwiseCopyable {
        /// Attempts that flaked.
        package var flakes = 0
        /// Failures that would have been flakes if the mode were not strict.
        package var strictFailures = 0
        /// Failures that would have been flakes but for the limit.
        package var beyondLimit = 0
        /// Tests that recovered and failed the run all the same.
        package var failedThoughRecovered = 0
        /// How often a retry, or a round of them, was waited for.
        package var delays = 0
    }

    /// What flaked, in the order in which it did.
    let retries: [FlakyTest]
    let effects: Effects
    let mode: RunMode
    /// Where the report is; `nil` if there is none.
    let report: String?

    /// The lines; none if nothing flaked and the mode changed nothing.
    var lines: [String] {
        var lines: [String] = []
        if !retries.isEmpty {
            lines.append(retries.endings())
            lines += retries.worstFirst.map(line)
        }
        lines += modeLines
        if !retries.isEmpty, let report { lines.append("report: \(report)") }
        return lines
    }

    private func line(_ retry: FlakyTest) -> String {
        let place = retry.file.map { ", at \($0):\(retry.line ?? 0)" } ?? ""
        return "\(retry.name) \(retry.ending): \(retry.reason) (\(retry.markName))\(place)"
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
            let times = effects.delays.of("time")
            lines.append("RETRYABLE_RETRY_DELAY=\(mode.retryDelay): waited \(times) before retries")
        }
        if effects.failedThoughRecovered > 0 {
            let tests = effects.failedThoughRecovered.of("test")
            lines.append("RETRYABLE_FAIL_ON_FLAKY=1: \(tests) recovered and failed the run all the same")
        }
        return lines
    }
}
