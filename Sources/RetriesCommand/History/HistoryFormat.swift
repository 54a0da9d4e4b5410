import Groundwork
import RetryReport

enum HistoryFormat: String, OutputFormat {
    case text, markdown, html, json

    var purpose: String {
        switch self {
        case .text: "for a terminal (the default)"
        case .markdown: "a table, for $GITHUB_STEP_SUMMARY or a comment"
        case .html: "one file for a browser, no network"
        case .json: "for other tools"
        }
    }

    func bytes(of history: History, hasColor: Bool) throws -> [UInt8] {
        switch self {
        case .text: Array(history.text(hasColor: hasColor).utf8)
        case .markdown: Array(history.markdown.utf8)
        case .html: Array(HistoryHTMLFormat(history: history).text.utf8)
        case .json: try JSONText.bytes(of: history)
        }
    }
}

extension History {
    /// The totals, such as `4 marks in 200 runs: 1 broken, 2 needed, 1 can go`.
    var headline: String {
        guard !marks.isEmpty else { return "No mark in \(runs.count.of("run"))" }
        let counts = Dictionary(grouping: marks, by: \.verdict).sorted { $0.key < $1.key }
            .map { "\($1.count) \($0.name)" }
        return "\(marks.count.of("mark")) in \(runs.count.of("run")): \(counts.joined(separator: ", "))"
    }

    /// The time that the runs span, and the processes that died in them.
    var remarks: [String] {
        var remarks: [String] = []
        if let first = runs.first, let last = runs.last, runs.count > 1 {
            remarks.append("From \(Times.text(first.startedAt)) to \(Times.text(last.startedAt))")
        }
        let unfinished = runs.count(where: \.unfinished)
        if unfinished > 0 {
            let runs = unfinished.of("run")
            remarks.append("\(runs) did not end: the counts of a process that died may be incomplete")
        }
        return remarks
    }

    /// The history for a terminal.
    func text(hasColor: Bool) -> String {
        var lines = TextLines(hasColor: hasColor)
        for group in groups {
            lines.add("GROUP", group.sentence, .flaky, isTitle: true)
            for fact in group.facts { lines.add(fact) }
            lines.addGap()
        }
        for mark in lists.flatMap(\.marks) {
            lines.add(mark)
            lines.addGap()
        }
        lines.add("SUMMARY", headline, .plain)
        for remark in remarks { lines.add(remark) }
        return lines.text
    }

    /// The history as a table, for a summary or a comment.
    var markdown: String {
        var text = "### \(headline)\n"
        for group in groups {
            text += "\n**\(MarkdownText.plain(group.sentence))**\n\n"
            for fact in group.facts { text += "- \(MarkdownText.plain(fact))\n" }
        }
        let heads = ["Verdict", "Mark", "How often", "Change", "Last flake", "Cost"]
        text += MarkdownText.table(heads, lists.flatMap(\.marks).map(\.markdown))
        for remark in remarks { text += "\n\(remark).\n" }
        return text
    }
}

extension MarkHistory {
    var trend: [TrendBlock] { TrendBlock.row(of: flaked, width: 60) }

    /// A sentence such as `flaked in 7 of 200 runs, 3.5 % (1.7 % to 7.1 %), in 3 of the last 20`.
    var sentence: String { evidence.sentence + (recent.map { ", in \($0)" } ?? "") }

    /// A text such as `from 2026-03-01 09:30:04 UTC to …`.
    var seen: String { "from \(Times.text(firstSeen)) to \(Times.text(lastSeen))" }

    /// The cells of its row.
    fileprivate var markdown: [String] {
        let (plain, code) = (MarkdownText.plain, MarkdownText.code)
        return [
            "\(verdict.look.symbol) \(verdict.name)<br>\(plain(why))",
            "\(MarkdownText.linked(newest.mark.reason))<br>*\(kind)*, \(code(newest.place))"
                + (newest.owners.isEmpty ? "" : "<br>owner: \(plain(newest.owners.firstFew))"),
            [sentence, loads.sentence, "seen: \(seen)"].compactMap { $0.map(plain) }.joined(separator: "<br>"),
            [change.map { plain($0.sentence) }, change?.command.map(code)].compactMap(\.self).joined(separator: "<br>"),
            lastFlake.map { plain($0.text) } ?? "",
            tests.prefix(3).map { plain($0.cost) }.joined(separator: "<br>"),
        ]
    }
}

extension TextLines {
    mutating func add(_ mark: MarkHistory) {
        let title = "\(mark.newest.mark.reason) (\(mark.kind))"
        add(mark.verdict.name.uppercased(), title, mark.verdict.look.style, isTitle: true)
        add("why: \(mark.why)")
        add("section: \(mark.newest.place)")
        if !mark.newest.owners.isEmpty { add("owner: \(mark.newest.owners.firstFew)") }
        add(mark.sentence)
        if let change = mark.change {
            add("change: \(change.sentence)")
            if let command = change.command { add("see: \(command)") }
        }
        if let busy = mark.loads.sentence { add("machine: \(busy)") }
        add("seen: \(mark.seen)")
        if let last = mark.lastFlake { add("last: \(last.text)") }
        let shown = 3
        for test in mark.tests.prefix(shown) { add("cost: \(test.cost)") }
        if mark.tests.count > shown {
            add("cost: \(Durations.text(mark.seconds)) in \(mark.tests.count) tests, all together")
        }
    }
}

extension MarkVerdict {
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

extension MarkHistory: Encodable {
    private enum CodingKeys: CodingKey {
        case rate, rateLow, rateHigh, firstSeen, lastSeen, isInNewestRun, lastFlake, machine, change, tests, trend
        case verdict, why
    }

    func encode(to encoder: any Encoder) throws {
        // The counts of all runs take the place of the newest run's.
        try newest.encode(to: encoder)
        try evidence.encode(to: encoder)
        try encoder.encode([
            CodingKeys.rate: evidence.rate, .rateLow: evidence.interval.low, .rateHigh: evidence.interval.high,
            .firstSeen: firstSeen, .lastSeen: lastSeen, .isInNewestRun: verdict != .removed, .lastFlake: lastFlake,
            .machine: loads.isEmpty ? nil : ["busy": loads.busy, "measured": loads.count], .change: change,
            .tests: tests, .trend: trend, .verdict: "\(verdict)", .why: why,
        ])
    }
}
