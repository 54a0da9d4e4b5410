import Foundation
import Groundwork
import RetryReport

/// A report as a page: the verdict and what to do, then failed, pending and flaky tests, then the steps.
struct HTMLFormat {
    private static let longestMessage = 20_000
    private static let longestReason = 1000
    /// The most failed tests that are named at the top; all have a row below.
    private static let mostNames = 5

    private let overview: Overview
    /// The seconds that the full width of a strip stands for.
    private let longestDuration: Double

    init(overview: Overview) {
        self.overview = overview
        longestDuration = overview.tests.map(\.duration).max() ?? 0
    }

    var text: String {
        let title = [overview.project, overview.headline].compactMap(\.self).joined(separator: ": ")
        return HTMLPage(title: title, header: header, main: main).text
    }

    // MARK: - The top

    private var header: String {
        var kind = overview.tests.isEmpty ? "passed" : "recovered"
        if overview.isBad { kind = "failed" }
        var lines = ["<h1 class=\"\(kind)\">\(escaped(overview.headline))</h1>"]
        if let project = overview.project { lines.insert("<p class=\"soft\">\(escaped(project))</p>", at: 0) }
        if let warning = overview.warning { lines.append("<p class=\"warning\">\(escaped(warning))</p>") }
        lines.append(contentsOf: advice)
        let totals = [overview.report.cost, overview.report.stepSentence, overview.limitation]
        let sentences = [overview.when, overview.mode, overview.code] + totals
        var facts = sentences.compactMap { $0.map(escaped) }
        if let job = overview.job { facts.append("<a href=\"\(escaped(job))\">The job</a>") }
        if !facts.isEmpty { lines.append("<p class=\"soft\">\(facts.joined(separator: " · "))</p>") }
        return lines.joined(separator: "\n")
    }

    /// The next step: to run the failed tests again or, if none failed, to find the cause of the first flake.
    private var advice: [String] {
        let bad = overview.tests.filter(\.isBad)
        if bad.isEmpty {
            guard let first = overview.tests.first else { return [] }
            let sentence = "<p>To find out why <code>\(escaped(first.name))</code> flakes:</p>"
            return [sentence, HTMLPart.command("swift run retries why -- \(first.filter.command)")]
        }
        let shown = bad.prefix(Self.mostNames)
        let names = shown.map { "<li><code>\(escaped($0.name))</code></li>" }
        let sentence = bad.count > shown.count ? "To run the first \(shown.count) again:" : "To run what failed again:"
        let list = bad.count > 1 ? ["<ul class=\"names\">\(names.joined())</ul>"] : []
        return list + ["<p>\(sentence)</p>", HTMLPart.command(TestFilter.command(for: shown.map(\.filter)))]
    }

    // MARK: - The groups

    private var main: String {
        let tests = overview.tests
        let outcomes: [(String, FlakyTest.Outcome)] = [("Failed", .failed), ("Pending", .pending)]
        let bad: [String] = outcomes.compactMap { title, outcome in
            let tests = tests.filter { $0.outcome == outcome }
            guard !tests.isEmpty else { return nil }
            return HTMLPart.group(
                title,
                summary: tests.count.of("test"),
                rows: rows(tests, isFirstOpen: outcome == .failed)
            )
        }
        let groups = bad + Group.groups(of: tests.filter { !$0.isBad }).map(section)
        guard !groups.isEmpty || !overview.report.steps.isEmpty else {
            return "<p class=\"empty\">No test had to be retried.</p>"
        }
        let list = HTMLPart.folding(groups, limit: HTMLPart.groupLimit) { $0.joined(separator: "\n") }
        return (tests.count > HTMLPart.itemLimit ? Self.tools : "") + list + steps
    }

    /// The search form, for a page on which something is folded.
    private static let tools = """
        <form class="tools" role="search" aria-label="Tests" hidden>
        <label>Name, reason or message<input name="q" type="search" spellcheck="false"></label>
        <label>Outcome<select name="outcome"><option value="">all</option><option value="failed">failed</option>\
        <option value="pending">pending</option><option value="recovered">flaky</option>\
        <option value="unknown">unknown</option></select></label>
        <button type="reset">Show all</button>
        <output class="soft" aria-live="polite"></output>
        </form>

        """

    /// Flaky tests of one reason, which probably have one cause.
    private struct Group {
        let reason: String
        let tests: [FlakyTest]
        var timeLost: Double { tests.reduce(0) { $0 + $1.timeLost } }

        /// The largest groups first, then the most expensive ones.
        static func groups(of tests: [FlakyTest]) -> [Group] {
            let groups = Dictionary(grouping: tests, by: \.reason).map(Group.init)
            return groups.sorted { ($1.tests.count, $1.timeLost, $0.reason) < ($0.tests.count, $0.timeLost, $1.reason) }
        }
    }

    private func section(_ group: Group) -> String {
        let marks = Set(group.tests.map(\.markName)).sorted().joined(separator: ", ")
        let reason = group.reason.isEmpty ? "(no reason)" : group.reason.cut(to: Self.longestReason)
        return HTMLPart.group(
            "\(escaped(reason)) <span class=\"mark\">\(marks)</span>",
            summary: "\(group.tests.count.of("test")), \(Durations.text(group.timeLost)) spent on retries",
            rows: rows(group.tests)
        )
    }

    // MARK: - The tests

    /// The rows of tests. A message that the test above has as well is not shown again.
    private func rows(_ tests: [FlakyTest], isFirstOpen: Bool = false) -> [String] {
        let messages = tests.map { $0.shownFailures.last?.failure.displayMessage }
        return tests.indices.map { index in
            let isRepeated = index > 0 && messages[index] == messages[index - 1]
            return row(tests[index], isRepeated ? nil : messages[index], isOpen: isFirstOpen && index == 0)
        }
    }

    private func row(_ test: FlakyTest, _ message: String?, isOpen: Bool) -> String {
        let kind = test.outcome?.rawValue ?? "unknown"
        let message = message.map { "<span class=\"why strong\">\(escaped($0.cut(to: 400)))</span>" } ?? ""
        // The reason of flaky tests is the title of their group.
        let reason = test.isBad && !test.reason.isEmpty ? "reason: \(test.reason.cut(to: Self.longestReason))" : nil
        let facts = [test.ending, reason, test.module].compactMap { $0.map(escaped) }
        return HTMLRow(
            attributes: " data-outcome=\"\(kind)\"",
            isOpen: isOpen,
            badge: (kind, test.label),
            name: "<code class=\"name\">\(escaped(test.name))</code>\(message)",
            why: facts.joined(separator: " · "),
            strip: strip(test),
            time: Durations.text(test.duration),
            more: [HTMLPart.command(test.filter.command), attempts(of: test), self.facts(of: test)]
        ).html
    }

    /// The attempts as blocks, and as a sentence.
    private func strip(_ test: FlakyTest) -> String {
        let labels = test.attempts.map {
            "attempt \($0.number) \($0.outcome.rawValue) after \(Durations.text($0.duration))"
        }
        let label = labels.isEmpty ? "no attempts recorded" : labels.joined(separator: ", ")
        let blocks = test.attempts.map { attempt in
            let permille = longestDuration > 0 ? Int(attempt.duration / longestDuration * 1000) : 0
            let width = "\(permille / 10).\(permille % 10)%"
            return "<span class=\"block \(attempt.outcome.rawValue)\" style=\"width:\(width)\"></span>"
        }
        return "<span class=\"strip\" role=\"img\" aria-label=\"\(label)\" title=\"\(label)\">\(blocks.joined())</span>"
    }

    private func facts(of test: FlakyTest) -> String {
        var facts: [(String, String)] = []
        if !test.reason.isEmpty {
            facts.append(("Mark", "\(test.markName), at most \(test.maxRetriesAllowed.of("retry", "retries"))"))
        }
        if test.place != nil { facts.append(("Section", place(of: test))) }
        if let shard = test.shard ?? test.run { facts.append(("Run", "<code>\(escaped(shard))</code>")) }
        return facts.isEmpty ? "" : HTMLPart.facts(facts)
    }

    /// The attempts, side by side where there is room. Failures that an earlier attempt had are not shown again.
    private func attempts(of test: FlakyTest) -> String {
        var shown: [[Failure]: Int] = [:]
        var places: Set<String> = []
        let attempts = test.attempts.map { attempt in
            let machine = attempt.machine?.cause().map { ", \($0)" } ?? ""
            let begun = test.isUnmarked ? "" : ", begun \(Times.text(attempt.startedAt))"
            let failures: String
            if attempt.failures.isEmpty {
                failures = "<p class=\"soft\">Nothing failed.</p>"
            } else if let earlier = shown[attempt.failures] {
                failures = "<p>As in attempt \(earlier).</p>"
            } else {
                shown[attempt.failures] = attempt.number
                failures = attempt.failures.map { failure in
                    let isNew = failure.place.map { places.insert($0).inserted } ?? false
                    return self.failure(failure) + (isNew ? source(around: failure) : "")
                }.joined(separator: "\n")
            }
            return """
                <section class="attempt \(attempt.outcome.rawValue)">
                <h3>Attempt \(attempt.number): \(attempt.outcome.rawValue)</h3>
                <p class="soft">after \(Durations.text(attempt.duration))\(machine)\(begun)</p>
                \(failures)
                </section>
                """
        }
        return HTMLPart.folding(attempts, limit: HTMLPart.itemLimit) { attempts in
            "<div class=\"attempts\">\n\(attempts.joined(separator: "\n"))\n</div>"
        }
    }

    private func failure(_ failure: Failure) -> String {
        let message = escaped(failure.displayMessage.cut(to: Self.longestMessage))
        let place = failure.place == nil ? "" : " at \(place(of: failure))"
        let aftermath = failure.isAftermath ? ", after the flake and because of it" : ""
        return "<pre tabindex=\"0\">\(message)</pre><p class=\"soft\">\(failure.kind.rawValue)\(place)\(aftermath)</p>"
    }

    /// The source lines around a failure, its own line marked; empty if the source is not on this machine.
    private func source(around failure: Failure) -> String {
        let excerpt = overview.excerpt(around: failure)
        let texts = excerpt.map(\.text).filter { !$0.isEmpty }
        let indent = texts.map { text in text.prefix { $0 == " " }.count }.min() ?? 0
        let lines = excerpt.map { number, text in
            let gap = String(repeating: " ", count: "\(excerpt.last?.number ?? 0)".count - "\(number)".count)
            let line = escaped("\(gap)\(number)  \(String(text.dropFirst(indent)).cut(to: 300))")
            return number == failure.line ? "<mark>\(line)</mark>" : line
        }
        return lines.isEmpty ? "" : "<pre class=\"source\" tabindex=\"0\">\(lines.joined(separator: "\n"))</pre>"
    }

    private func place(of located: some Located) -> String {
        let code = "<code>\(escaped(located.place ?? ""))</code>"
        return overview.link(to: located).map { "<a href=\"\(escaped($0))\">\(code)</a>" } ?? code
    }

    // MARK: - The steps

    private var steps: String {
        let steps = overview.report.worstStepsFirst
        guard !steps.isEmpty else { return "" }
        let rows = steps.map { step in
            let (style, outcome) = step.succeeded ? ("", "succeeded") : ("failed", "failed")
            return [
                "<span class=\"badge \(style)\">\(outcome)</span>",
                escaped(step.action) + (step.place == nil ? "" : "<br>\(place(of: step))"),
                "<code>\(escaped(step.fullName))</code>", "\(step.retries)", Durations.text(step.duration),
            ]
        }
        let tables = HTMLPart.folding(rows, limit: HTMLPart.itemLimit) { rows in
            HTMLPart.table("Steps", ["Outcome", "Step", "Test", "Retries", "Time"], rows)
        }
        return "\n<h2>Steps that needed a retry</h2>\n\(tables)"
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
