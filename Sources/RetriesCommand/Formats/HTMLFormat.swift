import Foundation
import Groundwork
import RetryReport

/// The report as a page: what failed, what flakes most and why, what it cost, and which code it was.
struct HTMLFormat {
    func text(of overview: Overview) -> String {
        HTMLPage(title: overview.headline, header: header(overview), main: main(overview)).text
    }

    // MARK: - The top

    private func header(_ overview: Overview) -> String {
        var lines = ["<h1>\(HTMLText.escaped(overview.headline))</h1>"]
        if let warning = overview.warning { lines.append("<p class=\"warning\">\(HTMLText.escaped(warning))</p>") }
        var facts: [String] = []
        if let when = overview.whenBeforeAgo { facts.append(HTMLText.escaped(when) + ago(overview)) }
        for fact in [overview.mode, overview.code] { if let fact { facts.append(HTMLText.escaped(fact)) } }
        if let job = overview.job { facts.append("<a href=\"\(HTMLText.escaped(job))\">The job</a>") }
        if !facts.isEmpty { lines.append("<p class=\"soft\">\(facts.joined(separator: " · "))</p>") }
        if let limitation = overview.limitation {
            lines.append("<p class=\"soft\">\(HTMLText.escaped(limitation))</p>")
        }
        return lines.joined(separator: "\n")
    }

    /// A script says how long ago it was when the page is read; without one, the page says what was so when it was made.
    private func ago(_ overview: Overview) -> String {
        guard let last = overview.report.lastSign, let ago = overview.ago else { return "" }
        return "<time datetime=\"\(Timestamp.text(last))\" data-ago>\(ago), when this page was made</time>"
    }

    // MARK: - The tests

    private func main(_ overview: Overview) -> String {
        let report = overview.report
        let longest = report.retries.map(\.duration).max() ?? 0
        var groups = HTMLGroup.groups(of: report).enumerated().map { index, group in
            group.html(overview, longest: longest, isFirst: index == 0)
        }
        if !overview.unmarked.isEmpty { groups.insert(unmarked(overview.unmarked), at: 0) }
        guard !groups.isEmpty || !report.steps.isEmpty else {
            return "\(totals(overview))\n<p class=\"empty\">No test had to be retried.</p>"
        }
        let list = HTMLPart.folding(groups, limit: HTMLPart.groupLimit) { groups in
            "<div class=\"groups\">\n\(groups.joined(separator: "\n"))\n</div>"
        }
        return [totals(overview), groups.isEmpty ? "" : "\(Self.tools)\n<div id=\"groups\">\n\(list)\n</div>"]
            .joined(separator: "\n") + steps(overview)
    }

    private func totals(_ overview: Overview) -> String {
        let totals = overview.totals
        let kinds = [
            (totals.flaky, "recovered", "flaky"), (totals.failed, "failed", "failed"),
            (totals.pending, "pending", "pending"), (totals.unknown, "unknown", "of unknown outcome"),
        ]
        // The first two are of interest even if there are none.
        var items = kinds.enumerated().filter { $0.offset < 2 || $0.element.0 > 0 }.map { _, kind in
            let (count, kind, words) = kind
            return "<li class=\"\(count > 0 ? kind : "")\" data-outcome=\"\(kind)\"><b>\(count)</b> \(words)</li>"
        }
        if let count = overview.testCount {
            items.append("<li><b>\(count)</b> \(count == 1 ? "test" : "tests") in all</li>")
        }
        items.append("<li><b>\(totals.retries)</b> \(totals.retries == 1 ? "retry" : "retries")</li>")
        items.append("<li><b>\(Durations.words(totals.timeLost))</b> spent on retries</li>")
        if totals.steps > 0 { items.append("<li><b>\(totals.stepRetries)</b> retries of steps</li>") }
        return "<ul class=\"totals\" aria-label=\"Totals\">\n\(items.joined(separator: "\n"))\n</ul>"
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

    /// Failures without a mark, as a group of their own before all others.
    private func unmarked(_ tests: [SwiftPMResults.Test]) -> String {
        let rows = tests.map { test in
            let suites = test.name.suite.split(separator: ".", maxSplits: 1)
            let messages = (test.messages.isEmpty ? [test.message] : test.messages).map { message in
                "<pre tabindex=\"0\">\(HTMLText.escaped(message.cut(to: HTMLRecord.longestMessage)))</pre>"
            }
            let attributes = [
                ("outcome", "failed"), ("mark", "no section"), ("module", suites.first.map(String.init) ?? ""),
                ("time", String(test.duration.milliseconds)), ("attempts", "1"),
            ]
            let name = "\(suites.dropFirst().first.map { "\($0) " } ?? "")\(test.name.name)"
            return HTMLRow(
                attributes: HTMLText.data(attributes),
                badge: ("failed", "FAILED"),
                name: "<code class=\"name\">\(HTMLText.escaped(name))</code>",
                why: HTMLText.escaped(test.message.cut(to: 200)),
                strip: "<span class=\"strip\"></span>",
                time: Durations.words(test.duration),
                more: messages + [HTMLPart.command(TestFilter(test).command)]
            ).html
        }
        let note = "\(tests.count.of("test")) that nobody has marked"
        return HTMLPart.group("Failed outside of every section", note: note, rows: rows)
    }

    private func steps(_ overview: Overview) -> String {
        let steps = overview.report.worstStepsFirst
        guard !steps.isEmpty else { return "" }
        let rows = steps.map { step in
            let place = step.place.map { "<br>\(HTMLPart.place($0, link: overview.link(to: step)))" } ?? ""
            let outcome = step.succeeded ? "succeeded" : "failed"
            return [
                "<span class=\"badge \(step.succeeded ? "" : "failed")\">\(outcome)</span>",
                "\(HTMLText.escaped(step.action))\(place)", "<code>\(HTMLText.escaped(step.fullName))</code>",
                "\(step.retries)", Durations.words(step.duration),
            ]
        }
        let tables = HTMLPart.folding(rows, limit: HTMLPart.itemLimit) { rows in
            HTMLPart.table("Steps", ["Outcome", "Step", "Test", "Retries", "Time"], rows)
        }
        return "\n<h2>Steps that needed a retry</h2>\n\(tables)"
    }
}

/// The tests of one reason: what has one cause stands together.
struct HTMLGroup {
    let retries: [FlakyTest]

    /// Those with failures first, then those with the most tests, then those that cost the most.
    static func groups(of report: Report) -> [HTMLGroup] {
        let groups = Dictionary(grouping: report.worstFirst.enumerated(), by: \.element.reason).values.map { retries in
            let group = HTMLGroup(retries: retries.map(\.element))
            let rank = (group.hasFailed ? 0 : 1, -group.retries.count, -group.timeLost, retries[0].offset)
            return (rank: rank, group: group)
        }
        return groups.sorted { $0.rank < $1.rank }.map(\.group)
    }

    private var reason: String { retries.first?.reason ?? "" }
    private var hasFailed: Bool { retries.contains(where: \.isBad) }
    private var timeLost: Double { retries.reduce(0) { $0 + $1.timeLost } }

    /// - Parameters:
    ///   - overview: What is shown.
    ///   - longest: The seconds of the test that took longest.
    ///   - isFirst: Whether this is the first group. The first failure in it is open: it is what the reader came for.
    func html(_ overview: Overview, longest: Double, isFirst: Bool) -> String {
        let rows = retries.enumerated().map { index, retry in
            let isOpen = isFirst && index == 0 && retry.outcome == .failed
            return HTMLRecord(retry: retry, overview: overview, longest: longest, isOpen: isOpen).html
        }
        let marks = Set(retries.map(\.markName)).sorted().joined(separator: ", ")
        let reason = reason.cut(to: 1000)
        let title = HTMLText.escaped(reason.isEmpty ? "(no reason)" : reason)
        let note = "\(retries.count.of("test")), \(Durations.words(timeLost)) spent on retries"
        return HTMLPart.group("\(title) <span class=\"mark\">\(marks)</span>", reason: reason, note: note, rows: rows)
    }
}

/// One test on the page: a row, and what unfolds below it.
struct HTMLRecord {
    let retry: FlakyTest
    let overview: Overview
    /// The seconds that the whole width of a strip stands for.
    let longest: Double
    /// Whether it is unfolded from the start.
    let isOpen: Bool

    static let longestMessage = 20_000

    var html: String {
        let attributes = [
            ("outcome", kind), ("mark", retry.markName), ("module", retry.module ?? ""),
            ("time", String(max(0, retry.duration.milliseconds))), ("attempts", String(retry.attemptCount)),
        ]
        return HTMLRow(
            attributes: HTMLText.data(attributes),
            isOpen: isOpen,
            badge: (kind, retry.label),
            name: "<code class=\"name\">\(escaped(retry.name))</code>",
            why: why,
            strip: strip,
            time: Durations.words(retry.duration),
            more: [facts, HTMLPart.command(retry.filter.command)] + retry.attempts.map(attempt)
        ).html
    }

    private var kind: String { retry.outcome?.rawValue ?? "unknown" }

    private var why: String {
        let words = [retry.module, "\(retry.ending)", retry.firstFailure?.failure.displayMessage.cut(to: 200)]
        return words.compactMap { $0.map(escaped) }.joined(separator: " · ")
    }

    /// The attempts as blocks; who cannot see them hears what they say.
    private var strip: String {
        let words = retry.attempts.map {
            "attempt \($0.number) \($0.outcome.rawValue) after \(Durations.words($0.duration))"
        }
        let label = words.isEmpty ? "no attempts recorded" : words.joined(separator: ", ")
        let blocks = retry.attempts.map { attempt in
            let permille = longest > 0 ? Int(min(max(attempt.duration / longest, 0), 1) * 1000) : 0
            let width = "\(permille / 10).\(permille % 10)%"
            return "<span class=\"block \(attempt.outcome.rawValue)\" style=\"width:\(width)\"></span>"
        }
        return "<span class=\"strip\" role=\"img\" aria-label=\"\(label)\">\(blocks.joined())</span>"
    }

    private var facts: String {
        var facts = [("Mark", "\(retry.markName), at most \(retry.maxRetriesAllowed.of("retry", "retries"))")]
        if let place = retry.place { facts.append(("Section", HTMLPart.place(place, link: overview.link(to: retry)))) }
        if let run = retry.run { facts.append(("Run", "<code>\(escaped(run))</code>")) }
        return HTMLPart.facts(facts)
    }

    /// What failed first and last is open.
    private func attempt(_ attempt: AttemptRecord) -> String {
        let isTelling = [retry.firstFailure?.attempt, retry.finalFailure?.attempt].contains(attempt.number)
        let failures = attempt.failures.map { failure in
            let place = failure.place.map { " at \(HTMLPart.place($0, link: overview.link(to: failure)))" } ?? ""
            let aftermath = failure.isAftermath ? ", after the flake and because of it" : ""
            let message = escaped(failure.displayMessage.cut(to: Self.longestMessage))
            return
                "<pre tabindex=\"0\">\(message)</pre><p class=\"soft\">\(failure.kind.rawValue)\(place)\(aftermath)</p>"
        }
        return """
            <details class="attempt \(attempt.outcome.rawValue)"\(isTelling ? " open" : "")>
            <summary>Attempt \(attempt.number): \(attempt.outcome.rawValue) \
            <span class="soft">after \(Durations.words(attempt.duration)), begun \(Times.words(attempt.startedAt))</span></summary>
            \(failures.isEmpty ? "<p class=\"soft\">Nothing failed.</p>" : failures.joined(separator: "\n"))
            </details>
            """
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
