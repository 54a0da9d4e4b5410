import Groundwork
import RetryReport

/// A report as a table, for a summary or a comment.
struct MarkdownFormat {
    let overview: Overview

    var text: String {
        var text = "### \(overview.headline)\n\n"
        if let warning = overview.warning { text += "> ⚠️ **\(plain(warning))**\n\n" }
        var facts = overview.facts.map(plain)
        if let job = overview.job { facts.append("<a href=\"\(HTMLText.escaped(job))\">the CI job</a>") }
        text += "\(facts.joined(separator: " · "))\n"
        let steps = overview.report.worstStepsFirst
        text += MarkdownText.table(["Outcome", "Test", "Reason", "Failure"], overview.tests.map(row))
        return text + MarkdownText.table(["Outcome", "Step", "Test", "Retries"], steps.map(row))
    }

    private func row(_ test: FlakyTest) -> [String] {
        var name = code(test.name)
        if let module = test.module { name += "<br>\(plain(module))" }
        if let shard = test.shard ?? test.run { name += "<br>run \(code(shard))" }
        name += "<br>\(code(overview.command(for: [test])))"
        let mark = "\(plain(test.reason))<br>*\(test.markName)*\(place(of: test, after: ", "))"
        let reason = test.isUnmarked ? "none" : mark
        var message = test.mainFailure.map { code($0.displayMessage) + place(of: $0, after: "<br>") } ?? ""
        if let busyMachine = test.busyMachine { message += "<br>\(plain(busyMachine))" }
        return ["\(test.symbol) \(test.ending)", name, reason, message]
    }

    private func row(_ step: Step) -> [String] {
        let test = code(step.test) + (step.module.map { "<br>\(plain($0))" } ?? "")
        let outcome = step.succeeded ? "⚠️ succeeded" : "❌ failed"
        let action = plain(step.action) + place(of: step, after: "<br>")
        return [outcome, action, test, "\(step.retries)"]
    }

    private func place(of located: some Located, after separator: String) -> String {
        guard let place = located.place else { return "" }
        guard let link = overview.link(to: located) else { return separator + code(place) }
        return "\(separator)<a href=\"\(HTMLText.escaped(link))\">\(code(place))</a>"
    }

    private func code(_ text: String) -> String { MarkdownText.code(text) }
    private func plain(_ text: String) -> String { MarkdownText.plain(text) }
}

/// Text from tests, escaped for a cell of a Markdown table.
enum MarkdownText {
    private static let longest = 300
    /// The most bytes of a table: two are below the limit of `$GITHUB_STEP_SUMMARY`, which is 1 MiB.
    private static let limit = 450_000

    /// A table, and a line with the number of rows left out if there is no room for all; empty without rows.
    static func table(_ heads: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        // Without an empty line before it, a table is part of the paragraph.
        var text = "\n"
        for (index, cells) in ([heads, heads.map { _ in "---" }] + rows).enumerated() {
            let row = "| \(cells.joined(separator: " | ")) |\n"
            guard text.utf8.count + row.utf8.count < limit else {
                return "\(text)\n… and \((rows.count + 2 - index).of("more row")), left out for length.\n"
            }
            text += row
        }
        return text
    }

    /// Code, in which no text becomes a mention or a link.
    static func code(_ text: String) -> String {
        "<code>\(plain(text))</code>"
    }

    /// Text escaped so that it has no mark-up and ends neither its cell nor its row.
    static func plain(_ text: String) -> String {
        text.cut(to: longest).escapingControlCharacters.replacing(special)
    }

    private static let special: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "@": "@\u{200B}", "\\": "\\\\", "`": "\\`", "*": "\\*",
        "_": "\\_", "[": "\\[", "]": "\\]", "~": "\\~", "#": "\\#", "$": "\\$", "!": "\\!",
    ]
}
