import Groundwork
import RetryReport

/// The number of times that settings of the run changed what became of a test.
package struct RunCounts: Hashable, Sendable, BitwiseCopyable {
    /// Attempts that flaked.
    package var flakes = 0
    /// Failures that would have been flakes if the mode were not strict.
    package var strictFailures = 0
    /// Failures that would have been flakes but for the limit.
    package var beyondLimit = 0
    /// Tests that recovered and failed the run all the same.
    package var failedThoughRecovered = 0
    /// Waits before a retry or a round of them.
    package var delays = 0
}

/// The lines on standard error when everything has run: what flaked and how it ended.
package struct RunSummary {
    /// What flaked, in the order in which it did.
    let retries: [FlakyTest]
    let counts: RunCounts
    let settings: RunSettings
    /// Where the report is; `nil` if there is none.
    let report: String?

    /// The lines; none if nothing flaked and the settings changed nothing.
    var lines: [String] {
        var lines: [String] = []
        if !retries.isEmpty {
            lines.append(retries.endings())
            lines += retries.worstFirst.map(line)
        }
        lines += settingsLines
        if !retries.isEmpty, let report { lines.append("report: \(report)") }
        return lines
    }

    private func line(_ retry: FlakyTest) -> String {
        let place = retry.file.map { ", at \($0):\(retry.line ?? 0)" } ?? ""
        return "\(retry.name) \(retry.ending): \(retry.reason) (\(retry.markName))\(place)"
    }

    private var settingsLines: [String] {
        var lines: [String] = []
        if counts.strictFailures > 0 {
            lines.append("RETRYABLE_MODE=strict: \(counts.strictFailures.of("failure")) in flaky sections not retried")
        }
        if counts.beyondLimit > 0, let limit = settings.maxFlakes {
            let refused = counts.beyondLimit.of("failure")
            lines.append("RETRYABLE_MAX_FLAKES=\(limit): the limit was reached, \(refused) after it not retried")
        }
        if counts.delays > 0 {
            let times = counts.delays.of("time")
            lines.append("RETRYABLE_RETRY_DELAY=\(settings.retryDelay): waited \(times) before retries")
        }
        if counts.failedThoughRecovered > 0 {
            let tests = counts.failedThoughRecovered.of("test")
            lines.append("RETRYABLE_FAIL_ON_FLAKY=1: \(tests) recovered and failed the run all the same")
        }
        return lines
    }
}
