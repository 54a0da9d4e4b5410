import Foundation
import Groundwork
import RetryReport

/// The Common Test Report Format: the tests that were retried, each with its attempts; and all others, where they are known.
struct CTRFFormat {
    func document(of overview: Overview) -> CTRFReport {
        let report = overview.report
        let others = overview.allTests?.passedOrSkipped(beside: report) ?? []
        let tests =
            overview.unmarked.map(CTRFReport.Test.init) + report.worstFirst.map(CTRFReport.Test.init)
            + others.map(CTRFReport.Test.init)
        return CTRFReport(
            timestamp: report.run?.finishedAt.map(Timestamp.text),
            generatedBy: "retries \(Version.text)",
            results: .init(
                tool: .init(name: "Retryable", version: Version.text),
                summary: summary(report, tests),
                tests: tests,
                environment: environment(overview),
                extra: .init(
                    steps: report.worstStepsFirst.map(CTRFReport.Step.init),
                    warning: overview.warning,
                    limitation: overview.limitation
                )
            )
        )
    }

    private func environment(_ overview: Overview) -> CTRFReport.Environment? {
        let origin = overview.origin
        guard origin != RunOrigin() else { return nil }
        return .init(commit: origin.commit, branchName: origin.branch, buildUrl: overview.job)
    }

    private func summary(_ report: Report, _ tests: [CTRFReport.Test]) -> CTRFReport.Summary {
        func count(_ status: CTRFReport.Status) -> Int { tests.count { $0.status == status } }
        let attempts = report.retries.lazy.flatMap(\.attempts)
        let start = (report.run?.startedAt ?? attempts.map(\.startedAt).min())?.milliseconds ?? 0
        let stop = (report.run?.finishedAt ?? attempts.map(\.endedAt).max())?.milliseconds ?? 0
        return CTRFReport.Summary(
            tests: tests.count,
            passed: count(.passed),
            failed: count(.failed),
            skipped: count(.skipped),
            other: count(.other),
            flaky: tests.count { $0.flaky == true },
            start: start,
            stop: max(start, stop)
        )
    }
}

extension CTRFReport.Test {
    fileprivate init(_ test: SwiftPMResults.Test) {
        let trace = test.messages.joined(separator: "\n")
        self.init(
            name: test.name.name.isEmpty ? "(no name)" : test.name.name,
            status: test.outcome == .passed ? .passed : test.outcome == .failed ? .failed : .skipped,
            duration: max(0, test.duration.milliseconds),
            suite: test.name.path,
            message: test.outcome == .failed ? test.message : nil,
            trace: trace.isEmpty ? nil : trace
        )
    }

    fileprivate init(_ retry: FlakyTest) {
        let failures = retry.firstFailure.map { [$0.failure] } ?? []
        self.init(
            name: retry.name.isEmpty ? "(no name)" : retry.name,
            status: .init(retry.outcome),
            duration: max(0, retry.duration.milliseconds),
            start: retry.attempts.first?.startedAt.milliseconds,
            stop: retry.attempts.map(\.endedAt.milliseconds).max(),
            suite: retry.junitName.path,
            message: failures.first?.words,
            trace: failures.trace,
            line: retry.line,
            rawStatus: retry.outcome?.rawValue ?? "retried",
            filePath: retry.file,
            retries: retry.attemptedRetries.plausible,
            flaky: retry.outcome == .recovered,
            retryAttempts: retry.attempts.map(CTRFReport.Attempt.init),
            extra: .init(
                command: retry.filter.command,
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
    fileprivate init(_ attempt: AttemptRecord) {
        let first = attempt.mainFailure
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
            retries: step.retries.plausible,
            duration: max(0, step.duration.milliseconds)
        )
    }
}

extension CTRFReport.Status {
    /// A test whose end is not known has neither passed nor failed. It is not CTRF's `pending`, which waits to be run.
    fileprivate init(_ outcome: FlakyTest.Outcome?) {
        switch outcome {
        case .recovered: self = .passed
        case .failed: self = .failed
        case .pending, nil: self = .other
        }
    }

    fileprivate init(_ outcome: AttemptRecord.Outcome) {
        switch outcome {
        case .passed: self = .passed
        case .flaked, .failed: self = .failed
        case .skipped: self = .skipped
        }
    }
}

extension AttemptRecord {
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

extension JUnitName {
    /// The suites around the test, the module first; `nil` if none is known.
    fileprivate var path: [String]? { suite.isEmpty ? nil : suite.split(separator: ".").map(String.init) }
}
