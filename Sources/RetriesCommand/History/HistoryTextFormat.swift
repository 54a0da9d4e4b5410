import Groundwork

/// A history for a terminal.
struct HistoryTextFormat {
    private let terminal: Terminal
    private static let testsShown = 3

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    func text(of history: History) -> String {
        var lines = TextLines(terminal)
        for mark in history.marks {
            add(mark, to: &lines)
            lines.addGap()
        }
        lines.add("SUMMARY", history.sentence, .plain)
        for note in history.notes { lines.add("", note) }
        return lines.text
    }

    private func add(_ mark: MarkHistory, to lines: inout TextLines) {
        let verdict = mark.verdict
        lines.add(
            verdict.words.uppercased(),
            "\(mark.newest.reason) (\(mark.newest.markName))",
            verdict.style,
            isTitle: true
        )
        lines.add("", "why: \(mark.why)")
        if let place = mark.place { lines.add("", "section: \(place)") }
        lines.add("", mark.evidence.sentence)
        lines.add("", mark.trend(width: terminal.width - lines.margin - 1).text, isWhole: true)
        if let seen = mark.seen { lines.add("", seen) }
        if let last = mark.lastFlake { lines.add("", "last: \(last.words)") }
        for test in mark.tests.prefix(Self.testsShown) { lines.add("", "cost: \(test.cost)") }
        if mark.tests.count > Self.testsShown {
            lines.add("", "cost: \(Durations.words(mark.seconds)) in \(mark.tests.count) tests, all together")
        }
    }
}

extension MarkVerdict {
    fileprivate var style: TextLines.Style {
        switch self {
        case .broken: .bad
        case .needed: .flaky
        case .notSeen: .good
        case .new: .plain
        }
    }
}

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
