import Foundation
import Groundwork
import RetryReport

/// A report as a page: the outcome and its origin, then failed, pending and flaky tests, then the steps.
struct HTMLFormat {
    private static let longestMessage = 20_000

    private let overview: Overview
    private let groups: [Group]
    /// The seconds for which the whole width of a strip stands.
    private let longestDuration: Double

    init(overview: Overview) {
        self.overview = overview
        groups = Group.groups(of: overview.report)
        longestDuration = overview.report.retries.map(\.duration).max() ?? 0
    }

    var text: String {
        HTMLPage(title: overview.headline, header: header, main: main).text
    }

    // MARK: - The top

    private var header: String {
        var lines = ["<h1>\(escaped(overview.headline))</h1>"]
        if let warning = overview.warning { lines.append("<p class=\"warning\">\(escaped(warning))</p>") }
        var facts: [String] = []
        if let when = overview.when { facts.append(escaped(when) + age) }
        facts += [overview.mode, overview.code].compactMap { $0.map(escaped) }
        if let job = overview.job { facts.append("<a href=\"\(escaped(job))\">The job</a>") }
        if !facts.isEmpty { lines.append("<p class=\"soft\">\(facts.joined(separator: " · "))</p>") }
        if let limitation = overview.limitation { lines.append("<p class=\"soft\">\(escaped(limitation))</p>") }
        return lines.joined(separator: "\n")
    }

    /// The age of the run when the page was made; where scripts run, they replace it by the age when it is read.
    private var age: String {
        guard let last = overview.report.lastEvent, let age = overview.age else { return "" }
        let time = "<time datetime=\"\(Timestamp.text(last))\" data-ago>\(age), when this page was made</time>"
        return overview.ageIntroduction + time
    }

    private var totals: String {
        let totals = overview.totals
        let kinds = [
            (totals.failed, "failed", "failed"), (totals.pending, "pending", "pending"),
            (totals.flaky, "recovered", "flaky"), (totals.unknown, "unknown", "of unknown outcome"),
        ]
        // Failed and flaky tests are of interest even if there are none.
        var items = kinds.filter { $0.0 > 0 || ["failed", "recovered"].contains($0.1) }.map { count, kind, name in
            return "<li class=\"\(count > 0 ? kind : "")\" data-outcome=\"\(kind)\"><b>\(count)</b> \(name)</li>"
        }
        if let count = overview.testCount {
            items.append("<li><b>\(count)</b> \(count == 1 ? "test" : "tests") in all</li>")
        }
        items.append("<li><b>\(totals.retries)</b> \(totals.retries == 1 ? "retry" : "retries")</li>")
        items.append("<li><b>\(Durations.text(totals.timeLost))</b> spent on retries</li>")
        if totals.steps > 0 { items.append("<li><b>\(totals.stepRetries)</b> retries of steps</li>") }
        return "<ul class=\"totals\" aria-label=\"Totals\">\n\(items.joined(separator: "\n"))\n</ul>"
    }

    // MARK: - The tests

    private var main: String {
        let sections = [failedSection, pendingSection].compactMap(\.self) + groups.map(section)
        guard !sections.isEmpty || !overview.report.steps.isEmpty else {
            return "\(totals)\n<p class=\"empty\">No test had to be retried.</p>"
        }
        let list = HTMLPart.folding(sections, limit: HTMLPart.groupLimit) { sections in
            "<div class=\"groups\">\n\(sections.joined(separator: "\n"))\n</div>"
        }
        let tests = sections.isEmpty ? "" : "\(Self.tools)\n<div id=\"groups\">\n\(list)\n</div>"
        return "\(totals)\n\(tests)\(steps)"
    }

    private static let tools = """
        <form class="tools" role="search" aria-label="Tests" hidden>
        <label class="words">Name, reason or message<input name="q" type="search" spellcheck="false"></label>
        <label>Outcome<select name="outcome"><option value="">all</option><option value="failed">failed</option>\
        <option value="recovered">flaky</option><option value="pending">pending</option>\
        <option value="unknown">unknown</option></select></label>
        <label>Mark<select name="mark"><option value="">all</option><option>fixable</option><option>not fixable</option>\
        <option>no section</option></select></label>
        <label>Module<select name="module"><option value="">all</option></select></label>
        <label>Reason<select name="reason"><option value="">all</option></select></label>
        <label>Sort by<select name="sort"><option value="">outcome</option><option>time</option><option>attempts</option>\
        <option>name</option></select></label>
        <button type="reset">Show all</button>
        <output class="soft" aria-live="polite"></output>
        </form>
        <ul class="legend" aria-label="Attempts, their widths to scale with their durations">
        <li><span class="block flaked"></span>flaked</li>
        <li><span class="block passed"></span>passed</li>
        <li><span class="block failed"></span>failed</li>
        <li><span class="block skipped"></span>skipped</li>
        </ul>
        """

    /// All failed tests, whatever their reason; the first one is open.
    private var failedSection: String? {
        let failed = overview.report.retries.filter { $0.outcome == .failed }
        let rows =
            overview.unmarked.enumerated().map { row($1, isOpen: $0 == 0) }
            + failed.enumerated().map { row($1, isOpen: $0 == 0 && overview.unmarked.isEmpty, withReason: true) }
        let unmarked = overview.unmarked.isEmpty ? "" : ", \(overview.unmarked.count) of them outside of every section"
        let summary = "\(rows.count.of("test"))\(unmarked)"
        return rows.isEmpty ? nil : HTMLPart.group("Failed", summary: summary, rows: rows)
    }

    private var pendingSection: String? {
        let rows = overview.report.retries.filter { $0.outcome == .pending }.map { row($0, withReason: true) }
        let summary = "\(rows.count.of("test")) whose process ended before the next attempt"
        return rows.isEmpty ? nil : HTMLPart.group("Pending", summary: summary, rows: rows)
    }

    /// Flaky tests of one reason, which probably have one cause.
    private struct Group {
        let tests: [FlakyTest]

        var reason: String { tests.first?.reason ?? "" }
        var timeLost: Double { tests.reduce(0) { $0 + $1.timeLost } }

        /// The largest groups first, then the most expensive ones.
        static func groups(of report: Report) -> [Group] {
            let tests = report.retries.filter { !$0.isBad }.worstFirst.enumerated()
            let groups = Dictionary(grouping: tests, by: \.element.reason).values.map { tests in
                let group = Group(tests: tests.map(\.element))
                return (rank: (-group.tests.count, -group.timeLost, tests[0].offset), group: group)
            }
            return groups.sorted { $0.rank < $1.rank }.map(\.group)
        }
    }

    private func section(_ group: Group) -> String {
        let marks = Set(group.tests.map(\.markName)).sorted().joined(separator: ", ")
        let reason = group.reason.cut(to: 1000)
        let title = escaped(reason.isEmpty ? "(no reason)" : reason)
        let summary = "\(group.tests.count.of("test")), \(Durations.text(group.timeLost)) spent on retries"
        return HTMLPart.group(
            "\(title) <span class=\"mark\">\(marks)</span>",
            summary: summary,
            rows: group.tests.map { row($0) }
        )
    }

    // MARK: - One test

    /// A test that failed outside of every section.
    private func row(_ test: SwiftPMResults.Test, isOpen: Bool) -> String {
        let suites = test.name.suite.split(separator: ".", maxSplits: 1)
        let messages = (test.messages.isEmpty ? [test.message] : test.messages).map { message in
            "<pre tabindex=\"0\">\(escaped(message.cut(to: Self.longestMessage)))</pre>"
        }
        let attributes = [
            ("outcome", "failed"), ("mark", "no section"), ("module", suites.first.map(String.init) ?? ""),
            ("reason", ""), ("time", String(test.duration.milliseconds)), ("attempts", "1"),
        ]
        let name = "\(suites.dropFirst().first.map { "\($0) " } ?? "")\(test.name.name)"
        return HTMLRow(
            attributes: HTMLText.data(attributes),
            isOpen: isOpen,
            badge: ("failed", "FAILED"),
            name: "<code class=\"name\">\(escaped(name))</code>",
            why: "outside of every section · \(escaped(test.message.cut(to: 200)))",
            strip: "<span class=\"strip\"></span>",
            time: Durations.text(test.duration),
            more: messages + [HTMLPart.command(TestFilter(test).command)]
        ).html
    }

    private func row(_ test: FlakyTest, isOpen: Bool = false, withReason: Bool = false) -> String {
        let kind = test.outcome?.rawValue ?? "unknown"
        let reason = test.reason.cut(to: 1000)
        let attributes = [
            ("outcome", kind), ("mark", test.markName), ("module", test.module ?? ""), ("reason", reason),
            ("time", String(max(0, test.duration.milliseconds))), ("attempts", String(test.attemptCount)),
        ]
        let failure = test.firstFailure?.failure.displayMessage.cut(to: 200)
        let why = [
            test.module, "\(test.ending)", withReason ? "reason: \(reason)" : nil, failure.map { "failure: \($0)" },
        ]
        return HTMLRow(
            attributes: HTMLText.data(attributes),
            isOpen: isOpen,
            badge: (kind, test.label),
            name: "<code class=\"name\">\(escaped(test.name))</code>",
            why: why.compactMap { $0.map(escaped) }.joined(separator: " · "),
            strip: strip(test),
            time: Durations.text(test.duration),
            more: [facts(test), HTMLPart.command(test.filter.command)] + test.attempts.map { attempt($0, of: test) }
        ).html
    }

    /// The attempts as blocks, and as a sentence for screen readers.
    private func strip(_ test: FlakyTest) -> String {
        let labels = test.attempts.map {
            "attempt \($0.number) \($0.outcome.rawValue) after \(Durations.text($0.duration))"
        }
        let label = labels.isEmpty ? "no attempts recorded" : labels.joined(separator: ", ")
        let blocks = test.attempts.map { attempt in
            let part = longestDuration > 0 ? min(max(attempt.duration / longestDuration, 0), 1) : 0
            let permille = Int(part * 1000)
            let width = "\(permille / 10).\(permille % 10)%"
            return "<span class=\"block \(attempt.outcome.rawValue)\" style=\"width:\(width)\"></span>"
        }
        return "<span class=\"strip\" role=\"img\" aria-label=\"\(label)\">\(blocks.joined())</span>"
    }

    private func facts(_ test: FlakyTest) -> String {
        let retries = test.maxRetriesAllowed.of("retry", "retries")
        var facts = [("Mark", "\(test.markName), at most \(retries)")]
        if let place = test.place { facts.append(("Section", HTMLPart.place(place, link: overview.link(to: test)))) }
        if let run = test.run { facts.append(("Run", "<code>\(escaped(run))</code>")) }
        return HTMLPart.facts(facts)
    }

    /// An attempt; open if its failure is the first or the final one.
    private func attempt(_ attempt: AttemptRecord, of test: FlakyTest) -> String {
        let isOpen = test.shownFailures.contains { $0.attempt == attempt.number }
        let failures = attempt.failures.map { failure in
            let place = failure.place.map { " at \(HTMLPart.place($0, link: overview.link(to: failure)))" } ?? ""
            let aftermath = failure.isAftermath ? ", after the flake and because of it" : ""
            let message = escaped(failure.displayMessage.cut(to: Self.longestMessage))
            return
                "<pre tabindex=\"0\">\(message)</pre><p class=\"soft\">\(failure.kind.rawValue)\(place)\(aftermath)</p>"
        }
        let machine = attempt.machine?.cause().map { ", \($0)" } ?? ""
        let times = "after \(Durations.text(attempt.duration))\(machine), begun \(Times.text(attempt.startedAt))"
        return """
            <details class="attempt \(attempt.outcome.rawValue)"\(isOpen ? " open" : "")>
            <summary>Attempt \(attempt.number): \(attempt.outcome.rawValue) <span class="soft">\(times)</span></summary>
            \(failures.isEmpty ? "<p class=\"soft\">Nothing failed.</p>" : failures.joined(separator: "\n"))
            </details>
            """
    }

    // MARK: - The steps

    private var steps: String {
        let steps = overview.report.worstStepsFirst
        guard !steps.isEmpty else { return "" }
        let rows = steps.map { step in
            let place = step.place.map { "<br>\(HTMLPart.place($0, link: overview.link(to: step)))" } ?? ""
            let outcome = step.succeeded ? "succeeded" : "failed"
            return [
                "<span class=\"badge \(step.succeeded ? "" : "failed")\">\(outcome)</span>",
                "\(escaped(step.action))\(place)", "<code>\(escaped(step.fullName))</code>",
                "\(step.retries)", Durations.text(step.duration),
            ]
        }
        let tables = HTMLPart.folding(rows, limit: HTMLPart.itemLimit) { rows in
            HTMLPart.table("Steps", ["Outcome", "Step", "Test", "Retries", "Time"], rows)
        }
        return "\n<h2>Steps that needed a retry</h2>\n\(tables)"
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
