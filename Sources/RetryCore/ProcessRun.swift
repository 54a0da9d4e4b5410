import Foundation
import Groundwork
import RetryReport

/// This process's part in a run of the tests: its settings, its report, and the summary at its end.
package final class ProcessRun: Sendable {
    /// The one of this process.
    package static let shared = ProcessRun(environment: ProcessInfo.processInfo.environment)

    private let settings: Settings
    package let report: ProcessReport
    private let effects = Locked(RunSummary.Effects())
    private let hasBegun = Locked(false)

    package init(environment: [String: String]) {
        settings = Settings(environment: environment)
        report = ProcessReport(settings)
    }

    /// What the environment asks for.
    package var mode: RunMode { settings.mode }

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
                say("\(mistake); it was not heeded")
            }
            settings.warnings.forEach(say)
            do throws(ReportFileError) {
                try report.open(isNeeded: !inMidRun)
            } catch {
                stop("\(error)")
            }
            return true
        }
    }

    /// Says that crashes are not retried here, if the environment asks for that.
    package func sayUnsupervised(_ reason: String) {
        if mode.isSupervised { say("RETRYABLE_SUPERVISE changes nothing here: \(reason)") }
    }

    private func stop(_ reason: String) -> Never {
        say("\(reason). No test was run.")
        exit(2)
    }

    /// Completes the report and says on standard error what flaked; says nothing if nothing did.
    package func finish() {
        let place = report.close()
        let effects = effects.withLock { $0 }
        RunSummary(retries: report.takeUntold(), effects: effects, mode: mode, report: place).lines.forEach(say)
    }
}

extension ProcessRun {
    /// Why the first flake of an attempt may not be suppressed; `nil` if it may. Counts it in either case.
    package func refusal() -> Refusal? {
        changeEffects { effects in
            if mode.isStrict {
                effects.strictFailures += 1
                return .strict
            }
            if let limit = mode.maxFlakes, effects.flakes >= limit {
                effects.beyondLimit += 1
                return .limit(limit)
            }
            effects.flakes += 1
            return nil
        }
    }

    /// Counts a test that recovered and, because the run's mode asks for it, fails the run all the same.
    package func noteFailureOfRecovered() {
        changeEffects { $0.failedThoughRecovered += 1 }
    }

    /// Counts a wait before a retry or a round.
    package func noteDelay() {
        changeEffects { $0.delays += 1 }
    }

    private func changeEffects<Result>(_ body: (inout RunSummary.Effects) -> Result) -> Result {
        effects.withLock { effects in
            defer { RunWitnesses.current?.changeEffects(to: effects) }
            return body(&effects)
        }
    }

    /// Goes on where a process that died left off; this process runs under its name.
    package func resume(_ effects: RunSummary.Effects) {
        self.effects.withLock { $0 = effects }
        report.resume()
    }

    /// A path as the report shows it: relative to the working directory if it lies under it.
    package func relative(_ path: String) -> String { settings.relative(path) }
}
