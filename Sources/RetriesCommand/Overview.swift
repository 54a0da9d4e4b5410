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
            ? "\(run.unfinished) processes of this run did not end: they died, or are still running."
            : "A process of this run did not end: it died, or is still running."
        return "\(cause) What was not yet written is not in the report."
    }

    /// What this does not show.
    var limitation: String? {
        allTests == nil && given != nil ? "Shows tests that were retried only; --xunit FILE adds all others." : nil
    }
}

extension Overview {
    var origin: RunOrigin { report.run?.origin ?? RunOrigin() }

    /// The commit and the branch, such as `Commit 0123456789 on main`; `nil` if neither is known.
    var code: String? {
        let commit = origin.commit.map { "Commit \($0.prefix(10))" }
        switch (commit, origin.branch) {
        case (let commit?, let branch?): return "\(commit) on \(branch)"
        case (let commit?, nil): return commit
        case (nil, let branch?): return "Branch \(branch)"
        case (nil, nil): return nil
        }
    }

    /// The page of the job that ran the tests, if it is one that a browser may be sent to.
    var job: String? { origin.job.flatMap { $0.isPageAddress ? $0 : nil } }

    /// The page that shows a line of the source; `nil` where the address of the source is not known.
    func link(to located: some Located) -> String? {
        guard let sources = origin.sources, sources.isPageAddress, let file = located.file, !file.hasPrefix("/"),
            !file.split(separator: "/").contains(".."),
            let path = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        else { return nil }
        return "\(sources)/\(path)" + (located.line.map { "#L\($0)" } ?? "")
    }
}

extension String {
    /// Whether this is nothing but the address of a page, and no longer than a browser takes: a report is only a file,
    /// and may hold anything.
    fileprivate var isPageAddress: Bool {
        let pattern = "^https?://[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]*\\z"
        return utf8.count <= 2000 && range(of: pattern, options: .regularExpression) != nil
    }
}

/// How much was retried, and how it ended.
struct ReportTotals {
    /// Tests that were retried, or are still to be.
    let retried: Int
    /// How they ended, such as `5 flaky, 2 failed`; empty if there are none.
    let endings: String
    let flaky: Int
    /// Those that never passed.
    let failed: Int
    let pending: Int
    /// Those of version 0.6.0, which did not say.
    let unknown: Int
    let retries: Int
    /// The seconds that the retries took.
    let timeLost: Double
    let steps: Int
    let stepRetries: Int

    /// - Parameters:
    ///   - report: The report.
    ///   - unmarked: Tests that failed and are not in it.
    init(_ report: Report, unmarked: Int = 0) {
        func count(_ outcome: FlakyTest.Outcome?) -> Int { report.retries.count { $0.outcome == outcome } }
        retried = report.retries.count
        endings = report.retries.endings(unmarked: unmarked)
        flaky = count(.recovered)
        failed = count(.failed) + unmarked
        pending = count(.pending)
        unknown = count(nil)
        retries = report.retries.reduce(0) { $0 + $1.attemptedRetries }
        timeLost = report.retries.reduce(0) { $0 + $1.timeLost }
        steps = report.steps.count
        stepRetries = report.steps.reduce(0) { $0 + $1.retries }
    }

    /// Such as `9 retries took 3.2 s`, or `9 retries` where the report, as that of version 0.6.0, has no durations; `nil` if
    /// there were none.
    var cost: String? {
        let count = retries.of("retry", "retries")
        return retries == 0 ? nil : timeLost > 0 ? "\(count) took \(Durations.words(timeLost))" : count
    }

    /// Such as `1 step took 2 retries`; `nil` if none did.
    var stepSentence: String? {
        steps == 0 ? nil : "\(steps.of("step")) took \(stepRetries.of("retry", "retries"))"
    }
}
