import Groundwork
import RetryReport

/// A table, for a summary or a comment.
struct MarkdownFormat {
    /// `$GITHUB_STEP_SUMMARY` takes a mebibyte.
    var limit = 900_000
    private static let longestText = 300

    func text(of report: Report) -> String {
        let totals = Totals(report)
        var text = "### \(totals.sentence)\n"
        if !report.retries.isEmpty {
            text += "\n| Outcome | Test | Reason | What failed first |\n|---|---|---|---|\n"
            add(report.retries.map(row), to: &text, rest: "test")
        }
        if let sentence = totals.stepSentence {
            text += "\n### \(sentence)\n\n| Outcome | Step | Test | Retries |\n|---|---|---|---|\n"
            add(report.steps.map(row), to: &text, rest: "step")
        }
        return text
    }

    private func add(_ rows: [String], to text: inout String, rest: String) {
        for (index, row) in rows.enumerated() {
            guard text.utf8.count + row.utf8.count < limit else {
                text += "\n… and \((rows.count - index).of("more \(rest)")), left out for length.\n"
                return
            }
            text += row
        }
    }

    private func row(_ retry: Retry) -> String {
        var test = code(retry.name)
        if let module = retry.module { test += "<br>\(plain(module))" }
        if let run = retry.run { test += "<br>run \(code(run))" }
        var reason = "\(plain(retry.reason))<br>*\(retry.markName)*"
        if let place = retry.place { reason += ", \(code(place))" }
        var failure = ""
        if let first = retry.firstFailure?.failure {
            failure = code(first.words)
            if let place = first.place { failure += "<br>\(code(place))" }
        }
        return "| \(symbol(retry)) \(retry.verdict) | \(test) | \(reason) | \(failure) |\n"
    }

    private func row(_ step: Step) -> String {
        let place = step.place.map { "<br>\(code($0))" } ?? ""
        let test = code(step.test) + (step.module.map { "<br>\(plain($0))" } ?? "")
        let outcome = step.succeeded ? "⚠️ succeeded" : "❌ failed"
        return "| \(outcome) | \(plain(step.action))\(place) | \(test) | \(step.retries.sane) |\n"
    }

    private func symbol(_ retry: Retry) -> String {
        switch retry.outcome {
        case .recovered, nil: "⚠️"
        case .failed: "❌"
        case .pending: "⏳"
        }
    }

    /// Text that comes from tests, in a cell, as code: nobody is mentioned in it, nothing becomes a link.
    private func code(_ text: String) -> String {
        "<code>\(plain(text))</code>"
    }

    /// Text that comes from tests, in a cell: no mark-up, no end of the cell, no end of the row.
    private func plain(_ text: String) -> String {
        text.cut(to: Self.longestText).escapingControlCharacters.substituting { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "|": "&#124;"
            case "@": "@\u{200B}"
            case "\\", "`", "*", "_", "[", "]", "~", "#", "$", "!": "\\\(scalar)"
            default: nil
            }
        }
    }
}
