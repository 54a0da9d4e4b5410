import RetryReport

/// A history as a table, for a summary or a comment.
struct HistoryMarkdownFormat {
    func text(of history: History) -> String {
        var text = "### \(history.headline)\n"
        for group in history.groups {
            text += "\n**\(MarkdownText.plain(group.sentence))**\n\n"
            for fact in group.facts { text += "- \(MarkdownText.plain(fact))\n" }
        }
        let heads = ["Verdict", "Mark", "How often", "Change", "Last flake", "Cost"]
        text += MarkdownText.table(heads, history.lists.flatMap(\.marks).map(row))
        for remark in history.remarks { text += "\n\(remark).\n" }
        return text
    }

    private func row(_ mark: MarkHistory) -> [String] {
        let (plain, code) = (MarkdownText.plain, MarkdownText.code)
        return [
            "\(mark.verdict.look.symbol) \(mark.verdict.name)<br>\(plain(mark.why))",
            "\(MarkdownText.linked(mark.newest.mark.reason))<br>*\(mark.kind)*, \(code(mark.newest.place))"
                + (mark.newest.owners.isEmpty ? "" : "<br>owner: \(plain(mark.newest.owners.firstFew))"),
            [mark.sentence, mark.loads.sentence, "seen: \(mark.seen)"].compactMap { $0.map(plain) }
                .joined(separator: "<br>"),
            [mark.change.map { plain($0.sentence) }, mark.change?.command.map(code)].compactMap(\.self)
                .joined(separator: "<br>"),
            mark.lastFlake.map { plain($0.text) } ?? "",
            mark.tests.prefix(3).map { plain($0.cost) }.joined(separator: "<br>"),
        ]
    }
}
