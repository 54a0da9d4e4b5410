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
