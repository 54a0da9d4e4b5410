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
                "\(step.retries.plausible)", Durations.words(step.duration),
            ]
        }
        let tables = HTMLPart.folding(rows, limit: HTMLPart.itemLimit) { rows in
            HTMLPart.table("Steps", ["Outcome", "Step", "Test", "Retries", "Time"], rows)
        }
        return "\n<h2>Steps that needed a retry</h2>\n\(tables)"
    }
}
