import Foundation
import Groundwork
import RetryReport

/// A report as a page: the verdict and what to do, then failed, pending and flaky tests, then the steps.
struct HTMLFormat {
    private static let longestReason = 1000
    /// The number of tests of one outcome that the top names at most; each test has a row below.
    private static let mostNames = 5

    private let overview: Overview
    /// The tests that did not recover, by outcome, and the flaky ones, by reason.
    private let outcomes, reasons: [Group]
    /// The first test on the page, and the command that the top advises.
    private let first: TestRecord?, command: String?
    /// The seconds that the full width of a strip stands for.
    private let longestDuration: Double

    init(overview: Overview) {
        self.overview = overview
        outcomes = [TestRecord.Outcome.failed, .pending, nil].compactMap { outcome in
            let tests = overview.tests.filter { $0.outcome == outcome }
            return tests.first.map { Group(title: $0.look.label.capitalized, tests: tests) }
        }
        let flaky = Dictionary(grouping: overview.tests.filter { $0.outcome == .recovered }, by: \.mark.reason)
        func daysOverdue(_ group: Group) -> Int {
            group.tests.compactMap { $0.mark.daysOverdue(on: overview.today) }.max() ?? 0
        }
        // The longest overdue first, then the largest and, among equals, the most expensive.
        reasons = flaky.map(Group.init).sorted {
            (daysOverdue($1), $1.tests.count, $1.timeLost, $0.title)
                < (daysOverdue($0), $0.tests.count, $0.timeLost, $1.title)
        }
        let again = outcomes.flatMap { $0.tests.filter(\.isBad).prefix(Self.mostNames) }
        first = (outcomes + reasons).first?.tests.first
        let why = first.map { "swift run retries why -- \(overview.command(for: [$0], withSeed: false))" }
        command = again.isEmpty ? why : overview.command(for: again)
        longestDuration = overview.tests.map(\.duration).max() ?? 0
    }

    /// The tests of one outcome or, if they are flaky, of one reason, and so probably of one cause.
    private struct Group {
        let title: String
        let tests: [TestRecord]
        var timeLost: Double { tests.reduce(0) { $0 + $1.timeLost } }
    }

    var text: String {
        let title = [overview.project, overview.headline].compactMap(\.self).joined(separator: ": ")
        return HTMLPart.page(title: title, header: header, main: main)
    }

    // MARK: - The top

    private var header: String {
        var lines = ["<h1 class=\"\(overview.style)\">\(HTMLText.unbroken(overview.headline))</h1>"]
        if let project = overview.project { lines.insert(HTMLPart.soft(project), at: 0) }
        if let warning = overview.warning { lines.append("<p class=\"warning\">\(escaped(warning))</p>") }
        lines += advice
        var facts = overview.facts.map(escaped)
        if let job = overview.job { facts.append("<a href=\"\(escaped(job))\">The CI job</a>") }
        lines.append("<p class=\"soft\">\(facts.joined(separator: " · "))</p>")
        return lines.joined(separator: "\n")
    }

    /// The next step: to run the failed tests again or, if none failed, to find the cause of the first flake.
    private var advice: [String] {
        guard let first, let command else { return [] }
        let bad = overview.tests.count(where: \.isBad)
        let again = "To run \(bad == 1 ? "it" : "these") again:"
        let sentence = bad > 0 ? again : "To find out why <code>\(escaped(first.name))</code> flakes:"
        let lists = bad > 1 ? outcomes.filter { $0.tests[0].isBad }.map(names) : []
        return lists + ["<p>\(sentence)</p>", HTMLPart.command(command)]
    }

    private func names(of group: Group) -> String {
        var names = group.tests.prefix(Self.mostNames).enumerated().map { index, test in
            "<a href=\"#\(group.title)-\(index)\"><code>\(escaped(test.name))</code></a>"
        }
        if group.tests.count > names.count { names.append("and \(group.tests.count - names.count) more") }
        let items = names.map { "<li>\($0)</li>" }.joined()
        return "<p>\(group.title) (\(group.tests.count)):</p><ul class=\"names\">\(items)</ul>"
    }

    // MARK: - The groups

    private var main: String {
        var parts = outcomes.map { group in
            HTMLPart.group("<h2>\(group.title)</h2>\n\(HTMLPart.soft(group.tests.count.of("test")))", rows(of: group))
        }
        if !reasons.isEmpty {
            let sections = HTMLPart.folding(reasons.map(section), limit: HTMLPart.groupLimit) {
                $0.joined(separator: "\n")
            }
            parts += ["<h2>Flaky</h2>", sections]
        }
        return (parts + steps).joined(separator: "\n")
    }

    private func section(_ group: Group) -> String {
        let marks = Set(group.tests.map { $0.mark.kind(on: overview.today) }).sorted().joined(separator: ", ")
        let reason = HTMLText.linked(group.title.cut(to: Self.longestReason))
        let heading = "<h3>\(reason) <span class=\"mark\">\(marks)</span></h3>"
        let cost = "\(group.tests.count.of("test")), \(Durations.text(group.timeLost)) spent on retries"
        return HTMLPart.group("\(heading)\n\(HTMLPart.soft(cost))", rows(of: group))
    }

    // MARK: - The tests

    private func rows(of group: Group) -> [String] {
        let messages = group.tests.map { $0.mainFailure?.displayMessage }
        return group.tests.enumerated().map { index, test in
            // In the first folded row, "as above" would mean a row out of sight.
            let canRefer = !test.isBad && index % HTMLPart.itemLimit > 0
            let isRepeated = canRefer && messages[index] == messages[index - 1]
            let id = test.isBad ? " id=\"\(group.title)-\(index)\"" : ""
            return row(test, id, isRepeated: isRepeated, isOpen: test.outcome == .failed && group.tests.count == 1)
        }
    }

    /// - Parameter isRepeated: Whether the test above failed with the same message, which is then not shown again.
    private func row(_ test: TestRecord, _ id: String, isRepeated: Bool, isOpen: Bool) -> String {
        let kind = test.outcome?.rawValue ?? "unknown"
        let message = test.mainFailure.map { failure in
            isRepeated
                ? "<span class=\"why\">same message as above</span>"
                : "<span class=\"why strong\">\(escaped(failure.displayMessage.cutInTheMiddle(to: 180)))</span>"
        }
        // The reason of flaky tests is the title of their group.
        let showsReason = test.outcome != .recovered && !test.mark.reason.isEmpty
        let reason = showsReason ? "reason: \(HTMLText.linked(test.mark.reason.cut(to: Self.longestReason)))" : nil
        let facts = [escaped(test.ending), reason, test.module.map(escaped)].compactMap(\.self)
        let again = overview.command(for: [test])
        return HTMLPart.row(
            attributes: "\(id) data-outcome=\"\(kind)\"",
            isOpen: isOpen,
            badge: (kind, test.look.label.lowercased()),
            name: "<code class=\"name\">\(escaped(test.name))</code>\(message ?? "")",
            why: facts.joined(separator: " · "),
            strip: strip(test),
            time: "took \(Durations.text(test.duration))",
            more: (again == command ? [] : [HTMLPart.command(again)]) + [attempts(of: test), self.facts(of: test)]
        )
    }

    /// The attempts as blocks, and as a sentence.
    private func strip(_ test: TestRecord) -> String {
        let labels = test.attempts.map {
            "attempt \($0.number) \($0.outcome.rawValue) after \(Durations.text($0.duration))"
        }
        let label = labels.isEmpty ? "no attempts recorded" : labels.joined(separator: ", ")
        let blocks = test.attempts.map { attempt in
            let width = String(format: "%.1f%%", longestDuration > 0 ? attempt.duration / longestDuration * 100 : 0)
            return "<span class=\"block \(attempt.outcome.rawValue)\" style=\"width:\(width)\"></span>"
        }
        return "<span class=\"strip\" role=\"img\" aria-label=\"\(label)\" title=\"\(label)\">\(blocks.joined())</span>"
    }

    private func facts(of test: TestRecord) -> String {
        var places: Set<String?> = [nil]
        let failures = test.attempts.compactMap(\.mainFailure).filter { places.insert($0.place).inserted }
        let mark = "\(test.mark.kind(on: overview.today)), at most \(test.mark.maxRetryCount.of("retry", "retries"))"
        var facts: [(String, String?)] = failures.map { ("Source", source(around: $0)) }
        facts.append(("Mark", test.mark.reason.isEmpty ? nil : mark))
        facts.append(("Section", test.place == nil ? nil : place(of: test)))
        facts.append(("Owner", test.owners.isEmpty ? nil : escaped(test.owners.joined(separator: ", "))))
        facts.append(("Run", test.runName.map { "<code>\(escaped($0))</code>" }))
        return HTMLPart.facts(facts)
    }

    /// The attempts, side by side where there is room. Failures that an earlier attempt had are not shown again.
    private func attempts(of test: TestRecord) -> String {
        var shown: [[Failure]: Int] = [:]
        let attempts = test.attempts.map { attempt in
            let facts = [attempt.machine?.cause(), attempt.taskSeed?.limit].compactMap(\.self)
                .map { ", \($0)" }.joined()
            let begun = test.isUnmarked ? "" : ", begun \(Times.text(attempt.startedAt))"
            let failures: String
            if attempt.failures.isEmpty {
                failures = "<p class=\"soft\">Nothing failed.</p>"
            } else if let earlier = shown[attempt.failures] {
                failures = "<p>As in attempt \(earlier).</p>"
            } else {
                shown[attempt.failures] = attempt.number
                failures = attempt.failures.map(failure).joined(separator: "\n")
            }
            return """
                <div class="attempt \(attempt.outcome.rawValue)">
                <p><b>Attempt \(attempt.number): \(attempt.outcome.rawValue)</b></p>
                <p class="soft">after \(Durations.text(attempt.duration))\(facts)\(begun)</p>
                \(failures)
                </div>
                """
        }
        return HTMLPart.folding(attempts, limit: HTMLPart.itemLimit) { attempts in
            "<div class=\"attempts\">\n\(attempts.joined(separator: "\n"))\n</div>"
        }
    }

    private func failure(_ failure: Failure) -> String {
        let message = escaped(failure.displayMessage.cut(to: 20_000))
        let place = failure.place == nil ? "" : " at \(place(of: failure))"
        let aftermath = failure.isAftermath ? ", after the flake and because of it" : ""
        return "<pre tabindex=\"0\">\(message)</pre><p class=\"soft\">\(failure.kind.rawValue)\(place)\(aftermath)</p>"
    }

    /// Five lines of source around a failure, its own line marked; `nil` if the source is not on this machine.
    private func source(around failure: Failure) -> String? {
        guard let line = failure.line, let lines = overview.source(of: failure), 1...lines.count ~= line
        else { return nil }
        let numbers = max(line - 2, 1)...min(line + 2, lines.count)
        let texts = numbers.map { lines[$0 - 1] }.filter { !$0.isEmpty }
        let indent = texts.map { text in text.prefix { $0 == " " }.count }.min() ?? 0
        let excerpt = numbers.map { number in
            let gap = String(repeating: " ", count: "\(numbers.upperBound)".count - "\(number)".count)
            let text = escaped("\(gap)\(number)  \(String(lines[number - 1].dropFirst(indent)).cut(to: 300))")
            return number == line ? "<mark>\(text)</mark>" : text
        }
        return "\(place(of: failure))<pre class=\"source\" tabindex=\"0\">\(excerpt.joined(separator: "\n"))</pre>"
    }

    private func place(of located: some Located) -> String {
        let code = "<code>\(escaped(located.place ?? ""))</code>"
        return overview.link(to: located).map { "<a href=\"\(escaped($0))\">\(code)</a>" } ?? code
    }

    // MARK: - The steps

    private var steps: [String] {
        let rows = overview.report.worstStepsFirst.map { step in
            let (style, outcome) = step.succeeded ? ("passed", "succeeded") : ("failed", "failed")
            return [
                "<span class=\"badge \(style)\">\(outcome)</span>",
                escaped(step.action) + (step.place == nil ? "" : "<br>\(place(of: step))"),
                "<code>\(escaped(step.fullName))</code>", "\(step.retries)", Durations.text(step.duration),
            ]
        }
        guard !rows.isEmpty else { return [] }
        let tables = HTMLPart.folding(rows, limit: HTMLPart.itemLimit) { rows in
            HTMLPart.table("Steps", ["Outcome", "Step", "Test", "Retries", "Time"], rows)
        }
        return ["<h2>Steps that needed a retry</h2>", tables]
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
