import Groundwork

/// A history as a table, for a summary or a comment.
struct HistoryMarkdownFormat {
    private static let trendWidth = 30

    func text(of history: History) -> String {
        var text = "### \(history.sentence)\n"
        if !history.marks.isEmpty {
            text += "\n| Verdict | Mark | How often | Over time | Last flake | Cost |\n|---|---|---|---|---|---|\n"
        }
        MarkdownText.add(history.marks.map(row), to: &text, rest: "mark")
        for note in history.notes { text += "\n\(note).\n" }
        return text
    }

    private func row(_ mark: MarkHistory) -> String {
        let (plain, code) = (MarkdownText.plain, MarkdownText.code)
        var name = "\(plain(mark.newest.reason))<br>*\(mark.newest.markName)*"
        if let place = mark.place { name += ", \(code(place))" }
        let cells = [
            "\(symbol(mark.verdict)) \(mark.verdict.words)<br>\(plain(mark.why))",
            name,
            [mark.evidence.sentence, mark.seen].compactMap { $0.map(plain) }.joined(separator: "<br>"),
            code(mark.trend(width: Self.trendWidth).text),
            mark.lastFlake.map { plain($0.words) } ?? "",
            mark.tests.prefix(3).map { plain($0.cost) }.joined(separator: "<br>"),
        ]
        return "| \(cells.joined(separator: " | ")) |\n"
    }

    private func symbol(_ verdict: MarkVerdict) -> String {
        switch verdict {
        case .broken: "❌"
        case .needed: "⚠️"
        case .notSeen: "✅"
        case .new: "🆕"
        }
    }
}
