import Foundation
import Groundwork
import RetryReport

/// This process's part in a run of the tests: its settings, its report, and the summary at its end.
package final class ProcessRun: Sendable {
    /// The one of this process.
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
    /// - Parameter inMidRun: Whether tests have run already; what would end the process is then worth a warning.
    /// - Returns: Whether this call did it, and not one before.
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
            do throws(ReportFileError) {
                try report.open(isNeeded: !inMidRun)
            } catch {
                stop("\(error)")
            }
            return true
        }
    }

    /// Says that crashes are not retried here, if the environment asks for that.
    package func warnUnsupervised(_ reason: String) {
        if settings.isSupervised { log("RETRYABLE_SUPERVISE changes nothing here: \(reason)") }
    }

    private func stop(_ reason: String) -> Never {
        log("\(reason). No test was run.")
        exit(2)
    }

    /// Completes the report and says on standard error what flaked; says nothing if nothing did.
    package func finish() {
        let place = report.close()
        let counts = counts.withLock { $0 }
        RunSummary(retries: report.takeUntold(), counts: counts, settings: settings, report: place).lines.forEach(log)
    }
}

extension ProcessRun {
    /// Why the first flake of an attempt may not be suppressed; `nil` if it may. Counts it in either case.
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

    /// Counts a test that recovered and, because the run's mode asks for it, fails the run all the same.
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

    /// Goes on where a process that died left off; this process runs under its name.
    package func resume(_ counts: RunCounts) {
        self.counts.withLock { $0 = counts }
        report.resume()
    }

    /// A path as the report shows it: relative to the working directory if it lies under it.
    package func relative(_ path: String) -> String { report.relative(path) }
}
