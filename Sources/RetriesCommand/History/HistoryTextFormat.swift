import Groundwork

/// A history for a terminal.
struct HistoryTextFormat {
    let hasColor: Bool
    private static let testsShown = 3

    func text(of history: History) -> String {
        var lines = TextLines(hasColor: hasColor)
        for group in history.groups {
            lines.add("GROUP", group.sentence, .flaky, isTitle: true)
            for fact in group.facts { lines.add(fact) }
            lines.addGap()
        }
        for mark in history.lists.flatMap(\.marks) {
            add(mark, to: &lines)
            lines.addGap()
        }
        lines.add("SUMMARY", history.headline, .plain)
        for remark in history.remarks { lines.add(remark) }
        return lines.text
    }

    func add(_ mark: MarkHistory, to lines: inout TextLines) {
        lines.add(
            mark.verdict.name.uppercased(),
            "\(mark.newest.mark.reason) (\(mark.kind))",
            mark.verdict.look.style,
            isTitle: true
        )
        lines.add("why: \(mark.why)")
        lines.add("section: \(mark.newest.place)")
        if !mark.newest.owners.isEmpty { lines.add("owner: \(mark.newest.owners.firstFew)") }
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

extension MarkVerdict {
    var look: (style: TextLines.Style, symbol: String) {
        switch self {
        case .broken: (.bad, "❌")
        case .needed: (.flaky, "⚠️")
        case .notSeen: (.good, "✅")
        case .new: (.plain, "🆕")
        case .removed: (.plain, "➖")
        }
    }
}
