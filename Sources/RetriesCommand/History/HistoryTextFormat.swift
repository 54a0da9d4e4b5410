import Groundwork

/// A history for a terminal.
struct HistoryTextFormat {
    let terminal: Terminal
    private static let testsShown = 3

    func text(of history: History) -> String {
        var lines = TextLines(terminal)
        for group in history.groups {
            lines.add("GROUP", group.sentence, .flaky, isTitle: true)
            for fact in group.facts { lines.add(fact) }
            lines.addGap()
        }
        for mark in history.sections.flatMap(\.marks) {
            add(mark, to: &lines)
            lines.addGap()
        }
        lines.add("SUMMARY", history.headline, .plain)
        for remark in history.remarks { lines.add(remark) }
        return lines.text
    }

    private func add(_ mark: MarkHistory, to lines: inout TextLines) {
        lines.add(
            mark.verdict.name.uppercased(),
            "\(mark.newest.reason) (\(mark.newest.markName))",
            mark.verdict.look.style,
            isTitle: true
        )
        lines.add("why: \(mark.why)")
        lines.add("section: \(mark.newest.place)")
        lines.add(mark.sentence)
        if let change = mark.change {
            lines.add("change: \(change.sentence)")
            if let command = change.command { lines.add("see: \(command)") }
        }
        if let busy = mark.loads.sentence { lines.add("machine: \(busy)") }
        lines.add("seen: \(mark.seen)")
        if let last = mark.lastFlake { lines.add("last: \(last.text)") }
        for test in mark.tests.prefix(Self.testsShown) { lines.add("cost: \(test.cost)") }
        if mark.tests.count > Self.testsShown {
            lines.add("cost: \(Durations.text(mark.seconds)) in \(mark.tests.count) tests, all together")
        }
    }
}

/// A history as a table, for a summary or a comment.
struct HistoryMarkdownFormat {
    func text(of history: History) -> String {
        var text = "### \(history.headline)\n"
        for group in history.groups {
            text += "\n**\(MarkdownText.plain(group.sentence))**\n\n"
            for fact in group.facts { text += "- \(MarkdownText.plain(fact))\n" }
        }
        let heads = ["Verdict", "Mark", "How often", "Change", "Last flake", "Cost"]
        text += MarkdownText.table(heads, history.sections.flatMap(\.marks).map(row))
        for remark in history.remarks { text += "\n\(remark).\n" }
        return text
    }

    private func row(_ mark: MarkHistory) -> [String] {
        let (plain, code) = (MarkdownText.plain, MarkdownText.code)
        return [
            "\(mark.verdict.look.symbol) \(mark.verdict.name)<br>\(plain(mark.why))",
            "\(plain(mark.newest.reason))<br>*\(mark.newest.markName)*, \(code(mark.newest.place))",
            [mark.sentence, mark.loads.sentence, "seen: \(mark.seen)"].compactMap { $0.map(plain) }
                .joined(separator: "<br>"),
            [mark.change.map { plain($0.sentence) }, mark.change?.command.map(code)].compactMap(\.self)
                .joined(separator: "<br>"),
            mark.lastFlake.map { plain($0.text) } ?? "",
            mark.tests.prefix(3).map { plain($0.cost) }.joined(separator: "<br>"),
        ]
    }
}

extension Verdict {
    fileprivate var look: (style: TextLines.Style, symbol: String) {
        switch self {
        case .broken: (.bad, "❌")
        case .needed: (.flaky, "⚠️")
        case .notSeen: (.good, "✅")
        case .new: (.plain, "🆕")
        case .removed: (.plain, "➖")
        }
    }
}
