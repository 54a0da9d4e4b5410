import Foundation
import Groundwork
import RetryReport

/// Writes one line of Retryable's on standard error, control characters escaped.
package func log(_ line: String) {
    writeToStandardError("Retryable: \(line)")
}

/// This process's part in a run of the tests: its settings, its report, and the summary at its end.
package final class ProcessRun: Sendable {
    /// The part of the process that runs this code.
    package static let shared = ProcessRun(environment: ProcessInfo.processInfo.environment)

    package let settings: RunSettings
    package let report: ProcessReport
    private let environment: [String: String]
    private let counts = Locked(RunCounts())
    private let hasBegun = Locked(false)

    package init(environment: [String: String]) {
        self.environment = environment
        settings = RunSettings(environment: environment)
        report = ProcessReport(environment: environment, settings)
    }

    /// Puts an empty report in place, before any test runs.
    ///
    /// Ends the process with exit code 2 if the environment cannot be read, or if the report cannot be written to a
    /// place that was asked for: otherwise a missing report would look as if nothing had flaked.
    ///
    /// - Parameter inMidRun: Tests have run already. A mistake in the environment is then only a warning.
    /// - Returns: `false` if an earlier call has done it.
    @discardableResult
    package func begin(inMidRun: Bool = false) -> Bool {
        hasBegun.withLock { hasBegun in
            guard !hasBegun else { return false }
            hasBegun = true
            if let mistake = settings.mistake {
                guard inMidRun else { stop("\(mistake)") }
                log("\(mistake); it was not heeded")
            }
            RunSettings.warnings(for: environment).forEach(log)
            do {
                try report.open(isNeeded: !inMidRun)
            } catch {
                stop("\(error)")
            }
            return true
        }
    }

    /// Warns that crashes are not retried here, if the environment asks for that.
    package func warnUnsupervised(_ reason: String) {
        if settings.isSupervised { log("RETRYABLE_SUPERVISE changes nothing here: \(reason)") }
    }

    private func stop(_ reason: String) -> Never {
        log("\(reason). No test was run.")
        exit(2)
    }

    /// Completes the report, and lists on standard error what flaked; writes nothing there if nothing did.
    package func finish() {
        let place = report.close()
        let counts = counts.withLock { $0 }
        RunSummary(tests: report.takeUnlisted(), counts: counts, settings: settings, report: place).lines.forEach(log)
    }

    /// A path as the report shows it: relative to the working directory if it lies under it.
    package func relative(_ path: String) -> String { report.relative(path) }
}

// MARK: - The effect of settings

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

extension ProcessRun {
    /// Counts the first flake of an attempt, and returns the reason why it may not be suppressed; `nil` if it may.
    package func refusal() -> Refusal? {
        changeCounts { counts in
            if settings.isStrict {
                counts.strictFailures += 1
                return .strict
            }
            if let limit = settings.maxFlakes, counts.flakes >= limit {
                counts.beyondLimit += 1
                return .limit(limit)
            }
            counts.flakes += 1
            return nil
        }
    }

    /// Counts a test that recovered and, because the settings ask for it, fails the run all the same.
    package func noteFailureOfRecovered() {
        changeCounts { $0.failedThoughRecovered += 1 }
    }

    /// Counts a wait before a retry or a round.
    package func noteDelay() {
        changeCounts { $0.delays += 1 }
    }

    private func changeCounts<Result>(_ body: (inout RunCounts) -> Result) -> Result {
        counts.withLock { counts in
            defer { SharedRun.current?.write(counts) }
            return body(&counts)
        }
    }

    /// Continues the run of a process that died; this process runs under its name.
    package func resume(_ counts: RunCounts) {
        self.counts.withLock { $0 = counts }
        report.resume()
    }
}

// MARK: - The summary

/// The lines on standard error when everything has run: the tests that flaked, and how they ended.
struct RunSummary {
    /// The tests that flaked, in the order in which they did.
    let tests: [FlakyTest]
    let counts: RunCounts
    let settings: RunSettings
    /// The place of the report; `nil` if there is none.
    let report: String?

    /// The lines; none if nothing flaked and the settings changed nothing.
    var lines: [String] {
        var lines: [String] = []
        if !tests.isEmpty {
            lines.append(tests.endings)
            lines += tests.worstFirst.map { test in
                let last = test.attempts.last { !$0.failures.isEmpty }?.mainFailure
                let failure = last.map { "; failure: \($0.displayMessage.cut(to: 300))\($0.atPlace)" } ?? ""
                return "\(test.name) \(test.ending)\(failure); reason: \(test.reason) (\(test.markName))\(test.atPlace)"
            }
        }
        lines += settingsLines
        if !tests.isEmpty, let report { lines.append("report: \(report)") }
        return lines
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
            lines.append("RETRYABLE_RETRY_DELAY=\(settings.retryDelay ?? 0): waited \(times) before retries")
        }
        if counts.failedThoughRecovered > 0 {
            let tests = counts.failedThoughRecovered.of("test")
            lines.append("RETRYABLE_FAIL_ON_FLAKY=1: \(tests) recovered and failed the run all the same")
        }
        return lines
    }
}
