import Groundwork
import RetryReport

/// A history as a page: one file that needs nothing else.
struct HistoryHTMLFormat {
    let history: History

    var text: String {
        let seconds = history.marks.reduce(0) { $0 + $1.seconds }
        let cost = seconds > 0 ? ["\(Durations.text(seconds)) spent on retries"] : []
        let remarks = (history.remarks + cost).map(HTMLPart.soft)
        let kind = history.marks.contains { $0.verdict == .broken } ? "bad" : "plain"
        let heading = "<h1 class=\"\(kind)\">\(HTMLText.unbroken(history.headline))</h1>"
        return HTMLPart.page(
            title: history.headline,
            header: ([heading] + advice + remarks).joined(separator: "\n"),
            main: history.marks.isEmpty ? "" : "\(verdicts)\n\(lists)"
        )
    }

    /// The next steps: the defects to fix, and the commits after which a mark flakes more often.
    private var advice: [String] {
        var lines: [String] = []
        func reason(_ mark: MarkHistory) -> String { "<code>\(escaped(mark.newest.mark.reason))</code>" }
        let broken = history.marks.filter { $0.verdict == .broken }.map(reason)
        let defects = broken.count == 1 ? "a defect, not a flake" : "defects, not flakes"
        if !broken.isEmpty { lines.append("<p>Fix \(broken.firstFew): \(defects)</p>") }
        let risen = history.marks.first { $0.change?.isRise == true && $0.change?.command != nil }
        if let risen, let change = risen.change, let command = change.command {
            lines.append("<p>\(reason(risen)) changed: \(escaped(change.sentence))</p>")
            lines.append(HTMLPart.command(command))
        }
        return lines
    }

    /// The verdicts, each with its count and meaning.
    private var verdicts: String {
        let marks = Dictionary(grouping: history.marks, by: \.verdict).sorted { $0.key < $1.key }
        let tiles = marks.map { verdict, marks in
            let meaning = verdict.meaning(staleAfter: history.staleAfter)
            return "<li class=\"\(verdict)\"><b>\(marks.count) \(verdict.name)</b> \(meaning)</li>"
        }
        return "<ul class=\"tiles\" aria-label=\"Verdicts\">\n\(tiles.joined(separator: "\n"))\n</ul>"
    }

    private var lists: String {
        let parts = history.lists.map { title, facts, marks in
            let note = facts.isEmpty ? [] : [HTMLPart.soft(facts.joined(separator: " · "))]
            let top = ["<h2>\(escaped(title))</h2>"] + note + [axis]
            return HTMLPart.group(top.joined(separator: "\n"), marks.map(item), limit: .max)
        }
        return """
            <ul class="legend" aria-label="Each block is a run, or several: oldest first">
            <li><span class="run"></span>did not run</li>
            <li><span class="run ran"></span>ran, no flake</li>
            <li><span class="run ran"><i style="height:50%"></i></span>half of the runs flaked</li>
            <li><span class="run ran"><i style="height:100%"></i></span>each run flaked</li>
            </ul>
            \(parts.joined(separator: "\n"))
            """
    }

    /// The time span of the blocks, which is the same in all rows.
    private var axis: String {
        guard let first = history.runs.first, let last = history.runs.last, history.runs.count > 1 else { return "" }
        let ends = [first, last].map { "<time>\(Times.text($0.startedAt).prefix(10))</time>" }
        return "<div class=\"axis\"><span>\(ends.joined())</span></div>"
    }

    private func item(_ mark: MarkHistory) -> String {
        let due = mark.daysOverdue > 0 ? "overdue for \(mark.daysOverdue.of("day"))" : nil
        let news = [due, mark.change?.sentence].compactMap(\.self)
            .map { "<span class=\"why strong\">\(escaped($0))</span>" }.joined()
        return HTMLPart.row(
            attributes: " class=\"\(mark.verdict)\"",
            badge: ("\(mark.verdict)", mark.verdict.name),
            name: "<span class=\"name\">\(HTMLText.linked(mark.newest.mark.reason.cut(to: 2000)))</span>\(news)",
            why: why(mark),
            strip: strip(mark),
            time: HTMLText.unbroken("\(mark.evidence.rate.percent) of runs"),
            more: [HTMLPart.facts(facts(mark)), mark.change?.command.map(HTMLPart.command) ?? "", tests(mark)]
        )
    }

    private func why(_ mark: MarkHistory) -> String {
        var lines = [escaped(mark.evidence.flakedRuns == 0 ? mark.why : "\(counts(mark)); \(mark.why)")]
        if let last = mark.lastFlake?.summary { lines.append("last \(escaped(last))") }
        lines.append("<code>\(escaped(mark.newest.place))</code>")
        return lines.joined(separator: "<br>")
    }

    /// A text such as `3 of 120 runs, none of the last 20`.
    private func counts(_ mark: MarkHistory) -> String {
        "\(mark.evidence.flakedRuns) of \(mark.evidence.runs.of("run"))" + (mark.recent.map { ", \($0)" } ?? "")
    }

    /// The runs as blocks, with the counts for screen readers.
    private func strip(_ mark: MarkHistory) -> String {
        let blocks = mark.trend.map { block in
            guard block.runs > 0 else { return "<span class=\"run\"></span>" }
            guard block.flaked > 0 else { return "<span class=\"run ran\"></span>" }
            // At least 15 %, so that a single flake in many runs can be seen.
            let height = max(15, block.flaked * 100 / block.runs)
            let title = "flaked in \(block.flaked) of \(block.runs.of("run"))"
            return "<span class=\"run ran\" title=\"\(title)\"><i style=\"height:\(height)%\"></i></span>"
        }
        return "<span class=\"runs\" role=\"img\" aria-label=\"flaked in \(counts(mark))\">\(blocks.joined())</span>"
    }

    private func facts(_ mark: MarkHistory) -> [(String, String?)] {
        let evidence = mark.evidence
        let rates = "\(evidence.interval.low.percent) and \(evidence.interval.high.percent)"
        let ends = "\(evidence.flakes) flaked, \(evidence.failures) failed with no retry left"
        return [
            ("Rate", HTMLText.unbroken("between \(rates) of the runs, with 95 % confidence")),
            ("Mark", "\(mark.kind), at most \(mark.newest.mark.maxRetryCount.of("retry", "retries"))"),
            ("Attempts", "\(evidence.attempts) entered it, \(ends)"),
            ("Module", mark.newest.module.map { "<code>\(escaped($0))</code>" }),
            ("Owner", mark.newest.owners.isEmpty ? nil : escaped(mark.newest.owners.joined(separator: ", "))),
            ("Seen", mark.seen),
            ("Machine", mark.loads.sentence),
            ("Last flake", mark.lastFlake.map { escaped($0.text) }),
        ]
    }

    private func tests(_ mark: MarkHistory) -> String {
        guard !mark.tests.isEmpty else { return "" }
        return HTMLPart.table(
            "Tests that flaked because of this mark",
            ["Test", "Flakes", "Time spent on retries"],
            mark.tests.map { ["<code>\(escaped($0.fullName))</code>", "\($0.flakes)", Durations.text($0.seconds)] }
        )
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text.cut(to: 2000)) }
}

extension MarkVerdict {
    /// The meaning, for a reader who sees the verdict for the first time.
    fileprivate func meaning(staleAfter: Int) -> String {
        switch self {
        case .broken: "flakes more often than not: a defect"
        case .needed: "flakes; can go after \(staleAfter) runs without a flake"
        case .notSeen: "has not flaked in \(staleAfter) runs"
        case .new: "no flake yet, in too few runs to say"
        case .removed: "not in the newest run"
        }
    }
}
