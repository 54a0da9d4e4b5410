import Foundation
import Groundwork
import RetryReport

/// Writes one line of Retryable's on standard error, control characters escaped.
package func log(_ line: String) {
    writeToStandardError("Retryable: \(line)")
}

/// What all attempts of this process share: the settings, the report, and what was counted for the summary.
package final class ProcessContext: Sendable {
    /// The context of the process that runs this code.
    package static let shared = ProcessContext(environment: ProcessInfo.processInfo.environment)

    package let settings: RunSettings
    package let report: ProcessReport
    private let environment: [String: String]
    let counts = Locked(RunCounts())
    private let hasBegun = Locked(false)
    /// The report is complete, and its summary written.
    package let hasFinished = Locked(false)
    /// The number of threads that complete it now.
    let completions = Locked(0)

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
    package func openReport(inMidRun: Bool = false) -> Bool {
        hasBegun.withLock { hasBegun in
            if exchange(&hasBegun, with: true) { return false }
            if let mistake = settings.mistake {
                guard inMidRun else { stop(mistake) }
                log("\(mistake); it was not heeded")
            }
            if AttemptSlots.current == nil { RunSettings.warnings(for: environment).forEach(log) }
            do {
                try report.open(isNeeded: !inMidRun, isCounted: AttemptSlots.current != nil)
            } catch {
                stop("\(error)")
            }
            AttemptSlots.current.map { resume($0.counts) }
            return true
        }
    }

    /// Whether Bazel's runner runs the tests, which goes on behind those of XCTest with those of Swift Testing, to which it passes
    /// no arguments.
    package var isOfBazel: Bool { environment["TEST_UNDECLARED_OUTPUTS_DIR"]?.isEmpty == false }

    /// Warns that crashes and hangs are not retried here, if the environment asks for such retries.
    package func warnUnsupervised(_ reason: String) {
        let variable: EnvironmentVariable = settings.timeLimit == nil ? .supervise : .timeLimit
        if settings.isSupervised { log("\(variable.rawValue) changes nothing here: \(reason)") }
    }

    private func stop(_ reason: String) -> Never {
        log("\(reason). No test was run.")
        exit(2)
    }
}

// MARK: - The effect of settings

/// The number of times that settings of the run changed what became of a test.
package struct RunCounts: Hashable, Sendable, BitwiseCopyable {
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

extension ProcessContext {
    package func count(_ effect: WritableKeyPath<RunCounts, Int> & Sendable) {
        changeCounts { $0[keyPath: effect] += 1 }
    }

    func changeCounts<Result>(_ body: (inout RunCounts) -> Result) -> Result {
        counts.withLock { counts in
            let before = counts
            // A write counts as progress of the test, which a failure is not.
            defer {
                if counts != before {
                    SharedProgress.current?.write(counts)
                    AttemptSlots.current?.counts = counts
                }
            }
            return body(&counts)
        }
    }

    /// Continues the run of a process that died; this process runs under its name.
    package func resume(_ counts: RunCounts) {
        self.counts.withLock { $0 = counts }
        report.resume()
    }
}
