import Foundation
import RetryReport

/// The Common Test Report Format: the tests that flaked, each with its attempts.
struct CTRFFormat {
    func document(of report: Report) -> CTRFReport {
        CTRFReport(
            timestamp: report.run?.finishedAt.map(Timestamp.text),
            generatedBy: "retries \(Version.text)",
            results: .init(
                tool: .init(name: "Retryable", version: Version.text),
                summary: summary(report),
                tests: report.retries.map(CTRFReport.Test.init),
                extra: report.steps.isEmpty ? nil : .init(steps: report.steps.map(CTRFReport.Step.init))
            )
        )
    }

    private func summary(_ report: Report) -> CTRFReport.Summary {
        let totals = Totals(report)
        let attempts = report.retries.lazy.flatMap(\.attempts)
        let start = report.run?.startedAt ?? attempts.map(\.startedAt).min()
        let stop = report.run?.finishedAt ?? attempts.map { $0.startedAt + $0.duration }.max() ?? start
        return CTRFReport.Summary(
            tests: totals.tests,
            passed: totals.recovered,
            failed: totals.failed,
            other: totals.pending + totals.unknown,
            flaky: totals.recovered,
            start: start?.milliseconds ?? 0,
            stop: max(start?.milliseconds ?? 0, stop?.milliseconds ?? 0)
        )
    }
}

extension CTRFReport.Test {
    fileprivate init(_ retry: Retry) {
        let suite = retry.junitName.suite.split(separator: ".").map(String.init)
        let failures = retry.firstFailure.map { [$0.failure] } ?? []
        self.init(
            name: retry.name.isEmpty ? "(no name)" : retry.name,
            status: .init(retry.outcome),
            duration: max(0, retry.duration.milliseconds),
            start: retry.attempts.first?.startedAt.milliseconds,
            stop: retry.attempts.last.map(\.endedAt.milliseconds),
            suite: suite.isEmpty ? nil : suite,
            message: failures.first?.words,
            trace: failures.trace,
            line: retry.line,
            rawStatus: retry.outcome?.rawValue ?? "retried",
            filePath: retry.file,
            retries: retry.attemptedRetries.sane,
            flaky: retry.outcome == .recovered,
            retryAttempts: retry.attempts.map(CTRFReport.Attempt.init),
            extra: .init(
                module: retry.module,
                run: retry.run,
                reason: retry.reason,
                fixable: retry.fixable,
                maxRetriesAllowed: retry.maxRetriesAllowed
            )
        )
    }
}

extension CTRFReport.Attempt {
    fileprivate init(_ attempt: Retry.Attempt) {
        let first = attempt.failures.first { !$0.isAftermath } ?? attempt.failures.first
        self.init(
            attempt: max(1, attempt.number),
            status: .init(attempt.outcome),
            duration: max(0, attempt.duration.milliseconds),
            start: attempt.startedAt.milliseconds,
            stop: attempt.endedAt.milliseconds,
            message: first?.words,
            trace: attempt.failures.trace,
            line: first?.line,
            extra: .init(outcome: attempt.outcome.rawValue)
        )
    }
}

extension CTRFReport.Step {
    fileprivate init(_ step: RetryReport.Step) {
        self.init(
            name: step.action,
            status: step.succeeded ? .passed : .failed,
            test: step.test,
            module: step.module,
            filePath: step.file,
            line: step.line,
            retries: step.retries.sane,
            duration: max(0, step.duration.milliseconds)
        )
    }
}

extension CTRFReport.Status {
    /// A test whose end is not known has neither passed nor failed. It is not CTRF's `pending`, which waits to be run.
    fileprivate init(_ outcome: Retry.Outcome?) {
        switch outcome {
        case .recovered: self = .passed
        case .failed: self = .failed
        case .pending, nil: self = .other
        }
    }

    fileprivate init(_ outcome: Retry.Attempt.Outcome) {
        switch outcome {
        case .passed: self = .passed
        case .flaked, .failed: self = .failed
        case .skipped: self = .skipped
        }
    }
}

extension Retry.Attempt {
    fileprivate var endedAt: Date { max(startedAt, startedAt + duration) }
}

extension [Failure] {
    /// All of them with their places; `nil` if there are none.
    fileprivate var trace: String? {
        isEmpty ? nil : map { "\($0.words)\($0.place.map { "\n    at \($0)" } ?? "")" }.joined(separator: "\n")
    }
}

extension Date {
    /// Since 1970.
    fileprivate var milliseconds: Int { timeIntervalSince1970.milliseconds }
}
