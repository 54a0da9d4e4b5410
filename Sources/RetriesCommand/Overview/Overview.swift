import Foundation
import Groundwork
import RetryReport

/// What a format shows: a report, what is known beside it, and when it is read.
struct Overview {
    /// `nil` if there is none, and that is allowed.
    private let given: Report?
    /// All tests of the run, where SwiftPM's own file was given; without it, only those that were retried are known.
    let allTests: SwiftPMResults?
    /// When it is read.
    let now: Date
    let totals: ReportTotals
    /// Tests that failed outside of every section, so far as they are known; those of no report at all are among them.
    let unmarked: [SwiftPMResults.Test]

    init(_ report: Report?, allTests: SwiftPMResults? = nil, now: Date = Date()) {
        given = report
        self.allTests = allTests
        self.now = now
        let report = report ?? Report()
        unmarked = allTests?.unmarkedFailures(beside: report) ?? []
        totals = ReportTotals(report, unmarked: unmarked.count)
    }

    var report: Report { given ?? Report() }

    /// What came of it, in a few words: `5 flaky, 2 failed`, and of how many tests, where that is known.
    var headline: String {
        guard given != nil || allTests != nil else { return "No report: nothing was retried" }
        let tests = testCount.map { " of \($0.of("test"))" } ?? ""
        if !totals.endings.isEmpty { return totals.endings + tests }
        return allTests == nil ? "No test flaked" : "None flaky, none failed\(tests)"
    }

    /// How many tests the run had; `nil` if that is not known.
    var testCount: Int? {
        allTests.map { report.retries.count + unmarked.count + $0.passedOrSkipped(beside: report).count }
    }

    /// When the run was, and how long ago that is.
    var when: String? { whenBeforeAgo.map { $0 + (ago ?? "") } }

    /// When the run was, up to the words that say how long ago that is.
    var whenBeforeAgo: String? {
        guard given != nil else { return nil }
        guard let run = report.run else { return "The report does not say when its run was" }
        let start = "Run of \(Times.words(run.startedAt))"
        guard let end = run.finishedAt else { return "\(start), without an end; last heard of " }
        return "\(start), took \(Durations.words(end.timeIntervalSince(run.startedAt))), ended "
    }

    /// How long ago the last moment is that the report knows of.
    var ago: String? {
        report.lastSign.map { Durations.ago(now.timeIntervalSince($0)) }
    }

    /// How failures in sections were treated, if not as usual.
    var mode: String? {
        report.run.flatMap { $0.mode == "retry" ? nil : "Mode \($0.mode)" }
    }

    /// What is wrong with the run: processes of it died, or SwiftPM's file is of another run.
    var warning: String? {
        let warnings = [unfinished].compactMap { $0 } + (given.flatMap { allTests?.doubts(about: $0) } ?? [])
        return warnings.isEmpty ? nil : warnings.joined(separator: " ")
    }

    private var unfinished: String? {
        guard let run = report.run, run.finishedAt == nil else { return nil }
        let cause =
            run.unfinished > 1
            ? "\(run.unfinished.plausible) processes of this run did not end: they died, or are still running."
            : "A process of this run did not end: it died, or is still running."
        return "\(cause) What was not yet written is not in the report."
    }

    /// What this does not show.
    var limitation: String? {
        allTests == nil && given != nil ? "Shows tests that were retried only; --xunit FILE adds all others." : nil
    }
}
