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

    private func row(_ test: TestRecord) -> [String] {
        var name = code(test.name)
        if let module = test.module { name += "<br>\(plain(module))" }
        if let run = test.runName { name += "<br>run \(code(run))" }
        name += "<br>\(code(overview.command(for: [test])))"
        let mark =
            "\(MarkdownText.linked(test.mark.reason))<br>*\(test.mark.kind)*\(place(of: test, after: ", "))"
            + (test.owners.isEmpty ? "" : "<br>owner: \(plain(test.owners.firstFew))")
        let reason = test.isUnmarked ? "none" : mark
        var message = test.mainFailure.map { code($0.displayMessage) + place(of: $0, after: "<br>") } ?? ""
        for fact in [test.busyMachine, test.shownSeed?.limit].compactMap(\.self) { message += "<br>\(plain(fact))" }
        return ["\(test.look.symbol) \(test.ending)", name, reason, message]
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
