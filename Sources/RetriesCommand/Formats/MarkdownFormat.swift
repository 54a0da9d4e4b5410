import Groundwork
import RetryReport

/// A table, for a summary or a comment.
struct MarkdownFormat {
    func text(of overview: Overview) -> String {
        let totals = overview.totals
        var text = "### \(overview.headline)\n\n"
        if let warning = overview.warning { text += "> ⚠️ **\(plain(warning))**\n\n" }
        var facts = [overview.when, overview.mode, overview.code].compactMap { $0 }.map(plain)
        if let job = overview.job { facts.append("<a href=\"\(HTMLText.escaped(job))\">the job</a>") }
        text += "\(facts.joined(separator: " · "))\n"
        for sentence in [totals.cost, overview.limitation] { if let sentence { text += "\n\(plain(sentence))\n" } }
        let rows = overview.unmarked.map(row) + overview.report.worstFirst.map { row($0, overview) }
        if !rows.isEmpty {
            text += "\n| Outcome | Test | Reason | What failed first |\n|---|---|---|---|\n"
            MarkdownText.add(rows, to: &text, rest: "test")
        }
        if let sentence = totals.stepSentence {
            text += "\n### \(sentence)\n\n| Outcome | Step | Test | Retries |\n|---|---|---|---|\n"
            MarkdownText.add(overview.report.worstStepsFirst.map { row($0, overview) }, to: &text, rest: "step")
        }
        return text
    }

    private func row(_ test: SwiftPMResults.Test) -> String {
        let name = "\(code(test.name.name))<br>\(plain(test.name.suite))<br>\(code(TestFilter(test).command))"
        return "| ❌ failed | \(name) | no section | \(code(test.message)) |\n"
    }

    private func row(_ retry: FlakyTest, _ overview: Overview) -> String {
        var test = code(retry.name)
        if let module = retry.module { test += "<br>\(plain(module))" }
        if let run = retry.run { test += "<br>run \(code(run))" }
        test += "<br>\(code(retry.filter.command))"
        let reason = "\(plain(retry.reason))<br>*\(retry.markName)*\(place(retry, overview, ", "))"
        var failure = ""
        if let first = retry.firstFailure?.failure {
            failure = code(first.displayMessage) + place(first, overview, "<br>")
        }
        return "| \(symbol(retry)) \(retry.ending) | \(test) | \(reason) | \(failure) |\n"
    }

    private func row(_ step: Step, _ overview: Overview) -> String {
        let test = code(step.test) + (step.module.map { "<br>\(plain($0))" } ?? "")
        let outcome = step.succeeded ? "⚠️ succeeded" : "❌ failed"
        let action = plain(step.action) + place(step, overview, "<br>")
        return "| \(outcome) | \(action) | \(test) | \(step.retries) |\n"
    }

    private func place(_ located: some Located, _ overview: Overview, _ separator: String) -> String {
        guard let place = located.place else { return "" }
        guard let link = overview.link(to: located) else { return separator + code(place) }
        return "\(separator)<a href=\"\(HTMLText.escaped(link))\">\(code(place))</a>"
    }

    private func symbol(_ retry: FlakyTest) -> String {
        switch retry.outcome {
        case .recovered, nil: "⚠️"
        case .failed: "❌"
        case .pending: "⏳"
        }
    }

    private func code(_ text: String) -> String { MarkdownText.code(text) }
    private func plain(_ text: String) -> String { MarkdownText.plain(text) }
}

/// Text that comes from tests, as a cell of a Markdown table can hold it.
enum MarkdownText {
    private static let longest = 300
    /// `$GITHUB_STEP_SUMMARY` takes a mebibyte.
    private static let limit = 900_000

    /// Adds the rows of a table, so many as there is room for, and how many are left out.
    static func add(_ rows: [String], to text: inout String, rest: String) {
        for (index, row) in rows.enumerated() {
            guard text.utf8.count + row.utf8.count < limit else {
                text += "\n… and \((rows.count - index).of("more \(rest)")), left out for length.\n"
                return
            }
            text += row
        }
    }

    /// As code, in which no text becomes a mention or a link.
    static func code(_ text: String) -> String {
        "<code>\(plain(text))</code>"
    }

    /// No mark-up, no end of the cell, no end of the row.
    static func plain(_ text: String) -> String {
        text.cut(to: longest).escapingControlCharacters.writing(special)
    }

    private static let special: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "@": "@\u{200B}", "\\": "\\\\", "`": "\\`", "*": "\\*",
        "_": "\\_", "[": "\\[", "]": "\\]", "~": "\\~", "#": "\\#", "$": "\\$", "!": "\\!",
    ]
}
