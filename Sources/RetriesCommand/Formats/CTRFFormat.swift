import Foundation
import RetryReport

/// The Common Test Report Format: the tests that flaked, each with its attempts.
///
/// What its schema has no key for stands under `extra`.
struct CTRFFormat {
    static let specVersion = "1.0.0"

    func bytes(of report: Report) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("reportFormat")
            writer.value("CTRF")
            writer.key("specVersion")
            writer.value(Self.specVersion)
            if let finishedAt = report.run?.finishedAt {
                writer.key("timestamp")
                writer.value(Timestamp.text(finishedAt))
            }
            writer.key("generatedBy")
            writer.value("retries \(RetriesCommand.version)")
            writer.key("results")
            writer.object { results(report, &$0) }
        }
        writer.endOfLine()
        return writer.bytes
    }

    private func results(_ report: Report, _ writer: inout JSONWriter) {
        writer.key("tool")
        writer.object { writer in
            writer.key("name")
            writer.value("Retryable")
            writer.key("version")
            writer.value(RetriesCommand.version)
        }
        writer.key("summary")
        writer.object { summary(report, &$0) }
        writer.key("tests")
        writer.array(of: report.retries) { writer, retry in writer.object { test(retry, &$0) } }
        guard !report.steps.isEmpty else { return }
        writer.key("extra")
        writer.object { writer in
            writer.key("steps")
            writer.array(of: report.steps) { writer, step in writer.object { self.step(step, &$0) } }
        }
    }

    private func summary(_ report: Report, _ writer: inout JSONWriter) {
        let totals = Totals(report)
        let attempts = report.retries.lazy.flatMap(\.attempts)
        let start = report.run?.startedAt ?? attempts.map(\.startedAt).min()
        let stop = report.run?.finishedAt ?? attempts.map { $0.startedAt + $0.duration }.max() ?? start
        let counts: [(StaticString, Int)] = [
            ("tests", totals.tests), ("passed", totals.recovered), ("failed", totals.failed), ("skipped", 0),
            ("pending", 0), ("other", totals.pending + totals.unknown), ("flaky", totals.recovered),
            ("start", start.milliseconds), ("stop", max(start.milliseconds, stop.milliseconds)),
        ]
        for (key, count) in counts {
            writer.key(key)
            writer.value(count)
        }
    }

    private func test(_ retry: Retry, _ writer: inout JSONWriter) {
        let suite = retry.junitName.suite
        writer.key("name")
        writer.value(retry.name.isEmpty ? "(no name)" : retry.name)
        writer.key("status")
        writer.value(Self.status(retry.outcome))
        writer.key("duration")
        writer.value(max(0, retry.duration.milliseconds))
        if let first = retry.attempts.first, let last = retry.attempts.last {
            times(from: first.startedAt, to: last.startedAt + last.duration, &writer)
        }
        if !suite.isEmpty {
            writer.key("suite")
            writer.array(of: suite.split(separator: ".").map(String.init)) { $0.value($1) }
        }
        if let failure = retry.firstFailure?.failure { problem([failure], &writer) }
        writer.optional("line", retry.line)
        writer.key("rawStatus")
        writer.value(retry.outcome?.rawValue ?? "retried")
        writer.optional("filePath", retry.file)
        writer.key("retries")
        writer.value(retry.attemptedRetries.sane)
        writer.key("flaky")
        writer.value(retry.outcome == .recovered)
        writer.key("retryAttempts")
        writer.array(of: retry.attempts) { writer, attempt in writer.object { self.attempt(attempt, &$0) } }
        writer.key("extra")
        writer.object { writer in
            writer.optional("module", retry.module)
            writer.optional("run", retry.run)
            writer.key("reason")
            writer.value(retry.reason)
            writer.key("fixable")
            writer.value(retry.fixable)
            writer.key("maxRetriesAllowed")
            writer.value(retry.maxRetriesAllowed)
        }
    }

    private func attempt(_ attempt: Attempt, _ writer: inout JSONWriter) {
        writer.key("attempt")
        writer.value(max(1, attempt.number))
        writer.key("status")
        writer.value(Self.status(attempt.outcome))
        writer.key("duration")
        writer.value(max(0, attempt.duration.milliseconds))
        times(from: attempt.startedAt, to: attempt.startedAt + attempt.duration, &writer)
        problem(attempt.failures, &writer)
        writer.optional("line", attempt.failures.first?.line)
        writer.key("extra")
        writer.object { writer in
            writer.key("outcome")
            writer.value(attempt.outcome.rawValue)
        }
    }

    /// The first failure's message, and all of them as a trace.
    private func problem(_ failures: [Failure], _ writer: inout JSONWriter) {
        guard let first = failures.first(where: { !$0.isAftermath }) ?? failures.first else { return }
        writer.key("message")
        writer.value(first.words)
        writer.key("trace")
        writer.value(failures.map { "\($0.words)\($0.place.map { "\n    at \($0)" } ?? "")" }.joined(separator: "\n"))
    }

    private func step(_ step: Step, _ writer: inout JSONWriter) {
        writer.key("name")
        writer.value(step.action)
        writer.key("status")
        writer.value(step.succeeded ? "passed" : "failed")
        writer.key("test")
        writer.value(step.test)
        writer.optional("module", step.module)
        writer.optional("filePath", step.file)
        writer.optional("line", step.line)
        writer.key("retries")
        writer.value(step.retries.sane)
        writer.key("duration")
        writer.value(max(0, step.duration.milliseconds))
    }

    private func times(from start: Date, to stop: Date, _ writer: inout JSONWriter) {
        writer.key("start")
        writer.value(Optional(start).milliseconds)
        writer.key("stop")
        writer.value(Optional(max(start, stop)).milliseconds)
    }

    /// A test whose end is not known has neither passed nor failed, and waits for nothing: CTRF's `pending` is another.
    private static func status(_ outcome: Retry.Outcome?) -> String {
        switch outcome {
        case .recovered: "passed"
        case .failed: "failed"
        case .pending, nil: "other"
        }
    }

    private static func status(_ outcome: Attempt.Outcome) -> String {
        switch outcome {
        case .passed: "passed"
        case .flaked, .failed: "failed"
        case .skipped: "skipped"
        }
    }
}

extension Date? {
    /// Since 1970.
    fileprivate var milliseconds: Int { (self?.timeIntervalSince1970 ?? 0).milliseconds }
}
