import Foundation
import Groundwork
import RetryReport

/// A report and the other tests of its run, with the sentences about them that all formats share.
struct Overview {
    let report: Report
    /// Whether there is a report; if not, ``report`` is empty.
    private let hasReport: Bool
    /// All tests of the run; `nil` if SwiftPM's own file was not given, so that only those in the report are known.
    let allTests: SwiftPMResults?
    /// The time to which ages refer.
    let now: Date
    /// The day on which a mark may be overdue.
    let today: Day
    /// The tests to show, the worst first: those in the report, and those that failed outside of all sections.
    let tests: [TestRecord]
    /// The folder of the repository, or else of the package, on this machine.
    let root: String?
    /// The path of the tests' package; `nil` if the command is called in that package, or if it is not known.
    let package: String?

    init(
        _ report: Report?,
        allTests: SwiftPMResults? = nil,
        now: Date = Date(),
        timeZone: TimeZone = .ofSystem,
        root: String? = nil,
        package: String? = nil
    ) {
        hasReport = report != nil
        self.report = report ?? Report()
        self.allTests = allTests
        self.now = now
        today = Day(now, in: timeZone)
        self.root = root
        self.package = package
        tests = (allTests?.unmarkedFailures(beside: self.report) ?? []) + self.report.tests.worstFirst
    }

    /// The outcome, such as `2 failed, 5 flaky of 12 tests`.
    var headline: String {
        guard let allTests else {
            let nothing = hasReport ? "No test was retried" : "No report: nothing was retried"
            return tests.isEmpty ? nothing : tests.endings
        }
        let count = tests.count + allTests.passedOrSkipped(beside: report)
        // If the report and SwiftPM's file contradict each other, it is not certain that none failed.
        if isBad { return "\(tests.isEmpty ? "None flaky" : tests.endings) of \(count.of("test"))" }
        return "None failed, \(tests.isEmpty ? "none flaky" : tests.endings) of \(count.of("test"))"
    }

    var summary: String { [headline, report.stepSentence].compactMap(\.self).joined(separator: "; ") }

    /// The color of the run. Without a list of all tests, it is not green, because others may have failed.
    var style: TextLines.Style {
        if isBad { return .bad }
        guard tests.isEmpty else { return .flaky }
        return allTests == nil ? .plain : .good
    }

    /// Whether a test did not pass, or the report may lack one.
    var isBad: Bool { tests.contains(where: \.isBad) || warning != nil }

    /// The command that runs these tests again, with the seed that they failed with if it is one.
    func command(for tests: [TestRecord], withSeed: Bool = true) -> String {
        let options = package.map { "--package-path \($0.shellWord) " } ?? ""
        let seeds = Set(tests.map { withSeed ? $0.shownSeed?.seed : nil })
        let seed = seeds.count == 1 ? seeds.first?.map { "\(EnvironmentVariable.taskSeed.rawValue)=\($0) " } : nil
        return "\(seed ?? "")swift test \(options)--filter \(tests.commonFilter.shellWord)"
    }

    // MARK: - The run

    var when: String {
        guard let run = report.run else { return "It is not known when the run was" }
        let start = "Run of \(Times.text(run.startedAt))"
        guard let end = run.finishedAt else { return "\(start), without an end" }
        return "\(start), took \(Durations.text(end.timeIntervalSince(run.startedAt)))"
    }

    /// The reasons to doubt the report: processes that did not end, or a SwiftPM file of another run.
    var warning: String? {
        let warnings = [unfinished].compactMap(\.self) + (allTests?.doubts(about: report) ?? [])
        return warnings.isEmpty ? nil : warnings.joined(separator: " ")
    }

    /// The facts about the run, each in a sentence.
    var facts: [String] {
        let mode = report.run.flatMap { $0.mode == "retry" ? nil : "Mode \($0.mode)" }
        let code = [origin.commit.map { "Commit \($0.prefix(10))" }, origin.branch.map { "Branch \($0)" }]
        let limit = allTests == nil ? "Only tests that were retried are known: others may have failed" : nil
        return ([when, mode] + code + [report.cost, report.stepSentence, limit]).compactMap(\.self)
    }

    private var unfinished: String? {
        guard let run = report.run, run.finishedAt == nil else { return nil }
        let processes = max(run.unfinished, 1).of("process", "processes")
        return "\(processes) of this run did not end: dead, or still running. "
            + "The report lacks what was not written by then; a crash is in the job's log."
    }

    // MARK: - Its origin

    var origin: RunOrigin { report.run?.origin ?? .unknown }

    /// The page of the job that ran the tests, if its address is safe to link to.
    var job: String? { origin.job.flatMap { $0.isPageAddress ? $0 : nil } }

    /// A place with its path from the root of the repository, for readers elsewhere.
    func rooted(_ located: any Located) -> SourcePlace {
        SourcePlace(file: located.file.map(origin.rooted), line: located.line)
    }

    /// The page that shows a line of the source; `nil` where the address of the source is not known.
    func link(to located: some Located) -> String? {
        guard let sources = origin.rootSources, sources.isPageAddress, let file = rooted(located).file,
            !file.hasPrefix("/"), !file.split(separator: "/").contains(".."),
            let path = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        else { return nil }
        return "\(sources)/\(path)" + (located.line.map { "#L\($0)" } ?? "")
    }

    // MARK: - The sources

    /// The repository, such as `owner/shop`, where its address is known; else the name of its folder here.
    var project: String? {
        guard let sources = origin.sources, sources.isPageAddress, let url = URL(string: sources) else {
            return root.map { FilePath($0).name }
        }
        return url.pathComponents.dropFirst().prefix { $0 != "-" && $0 != "blob" }.joined(separator: "/")
    }

    /// The lines of a source file; `nil` if it is not on this machine.
    ///
    /// A report may name any file, so only Swift's are read, and only those under ``root``.
    func source(of located: some Located) -> [String]? {
        guard let root, let file = rooted(located).file else { return nil }
        let path = InputFile.resolved(file.hasPrefix("/") ? file : "\(root)/\(file)")
        guard path.hasSuffix(".swift"), FilePath(path).relative(to: InputFile.resolved(root)) != path,
            FilePath(path).kind == S_IFREG
        else { return nil }
        return FilePath(path).readText()?.utf8.split(separator: 10, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }
}

/// A line of the source, apart from the record that names it.
struct SourcePlace: Located {
    var file: String?
    var line: Int?
}

extension String {
    /// Whether this text, which may be any, is a web address that is short enough for browsers and names no user or password.
    fileprivate var isPageAddress: Bool {
        let pattern = "^https?://(?![^/?#]*@)[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]*\\z"
        return utf8.count <= 2000 && range(of: pattern, options: .regularExpression) != nil
    }
}

extension Report {
    /// The end of the run or, in one without an end, the last event in the report.
    var lastEvent: Date? {
        guard let run else { return nil }
        let ends = tests.flatMap(\.attempts).map { $0.startedAt + $0.duration }
        return run.finishedAt ?? (ends + [run.startedAt]).max()
    }

    /// The time since the last event of the run, such as `3 h ago`.
    func age(at now: Date) -> String? { lastEvent.map { Durations.ago(now.timeIntervalSince($0)) } }

    var retryCount: Int { tests.reduce(0) { $0 + $1.attemptedRetries } }
    var stepRetryCount: Int { steps.reduce(0) { $0 + $1.retries } }

    /// A sentence such as `9 retries took 3.2 s`, without the time if no durations are known; `nil` if there were none.
    var cost: String? {
        guard retryCount > 0 else { return nil }
        let count = retryCount.of("retry", "retries")
        let timeLost = tests.reduce(0) { $0 + $1.timeLost }
        return timeLost > 0 ? "\(count) took \(Durations.text(timeLost))" : count
    }

    /// A sentence such as `1 step took 2 retries`; `nil` if none did.
    var stepSentence: String? {
        steps.isEmpty ? nil : "\(steps.count.of("step")) took \(stepRetryCount.of("retry", "retries"))"
    }
}
