import Foundation
import Groundwork
import RetryReport

/// A history as a page: one file that needs nothing else.
struct HistoryHTMLFormat {
    private static let trendWidth = 60

    func text(of history: History) -> String {
        let remarks = history.remarks.map { "\n<p class=\"soft\">\(HTMLText.escaped($0))</p>" }
        let empty = "<p class=\"empty\">No section ran in these runs.</p>"
        return HTMLPage(
            title: history.headline,
            header: "<h1>\(HTMLText.escaped(history.headline))</h1>\(remarks.joined())",
            main: "\(totals(of: history))\n\(history.marks.isEmpty ? empty : list(of: history))",
            style: "\n\(Self.style)"
        ).text
    }

    private func totals(of history: History) -> String {
        let cards = Verdict.allCases.map { verdict in
            let count = history.marks.count { $0.verdict == verdict }
            return "<li class=\"\(count > 0 ? verdict.rawValue : "")\"><b>\(count)</b> \(verdict.name)</li>"
        }
        let seconds = history.marks.reduce(0) { $0 + $1.seconds }
        let cost = "<li><b>\(Durations.text(seconds))</b> spent on retries</li>"
        return "<ul class=\"totals\" aria-label=\"Totals\">\((cards + [cost]).joined(separator: "\n"))</ul>"
    }

    private func list(of history: History) -> String {
        """
        <ul class="legend" aria-label="Each block is a run, or several: oldest first">
        <li><span class="run"></span>did not run</li>
        <li><span class="run ran"></span>ran, no flake</li>
        <li><span class="run ran"><i style="height:50%"></i></span>half of the runs flaked</li>
        <li><span class="run ran"><i style="height:100%"></i></span>each run flaked</li>
        </ul>
        <ul class="tests marks" role="list">
        \(history.marks.map(item).joined(separator: "\n"))
        </ul>
        """
    }

    private func item(_ mark: MarkHistory) -> String {
        let place = mark.place.map { "<code>\(escaped($0))</code> · " } ?? ""
        return HTMLRow(
            badge: (mark.verdict.rawValue, mark.verdict.name),
            name: "<span class=\"name\">\(escaped(mark.newest.reason))</span>",
            why: "\(place)\(sentence(mark))",
            strip: strip(mark),
            time: mark.evidence.rate.percent,
            more: [HTMLPart.facts(facts(mark)), tests(mark)]
        ).html
    }

    /// The runs as blocks, and for screen readers the rate.
    private func strip(_ mark: MarkHistory) -> String {
        let blocks = mark.trend(width: Self.trendWidth).blocks.map { block in
            guard block.runs > 0 else { return "<span class=\"run\"></span>" }
            guard block.flaked > 0 else { return "<span class=\"run ran\"></span>" }
            // High enough that one flake of many runs shows.
            let height = max(15, block.flaked * 100 / block.runs)
            let title = "flaked in \(block.flaked) of \(block.runs.of("run"))"
            return "<span class=\"run ran\" title=\"\(title)\"><i style=\"height:\(height)%\"></i></span>"
        }
        return "<span class=\"runs\" role=\"img\" aria-label=\"\(sentence(mark))\">\(blocks.joined())</span>"
    }

    private func facts(_ mark: MarkHistory) -> [(String, String)] {
        let evidence = mark.evidence
        let retries = mark.newest.maxRetryCount.of("retry", "retries")
        var facts = [
            ("Verdict", escaped("\(mark.verdict.name): \(mark.why)")),
            ("Mark", "\(mark.newest.markName), at most \(retries)"),
            (
                "Attempts",
                "\(evidence.attempts) entered it, \(evidence.flakes) flaked, \(evidence.failures) failed with no retry left"
            ),
        ]
        if let module = mark.newest.module { facts.append(("Module", "<code>\(escaped(module))</code>")) }
        if let first = mark.firstSeen, let last = mark.lastSeen {
            facts.append(("First seen", Self.time(first)))
            facts.append(("Last seen", Self.time(last)))
        }
        if let flake = mark.lastFlake { facts.append(("Last flake", escaped(flake.text))) }
        return facts
    }

    private func tests(_ mark: MarkHistory) -> String {
        guard !mark.tests.isEmpty else { return "" }
        return HTMLPart.table(
            "Tests that flaked because of this mark",
            ["Test", "Flakes", "Time spent on retries"],
            mark.tests.map {
                ["<code>\(escaped($0.fullName))</code>", "\($0.flakes)", Durations.text($0.seconds)]
            }
        )
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text.cut(to: 2000)) }

    /// The mark's rate, without a line break between a number and its sign.
    private func sentence(_ mark: MarkHistory) -> String {
        HTMLText.escaped(mark.evidence.sentence.replacingOccurrences(of: " %", with: "\u{A0}%"))
    }

    private static func time(_ date: Date) -> String {
        "<time datetime=\"\(Timestamp.text(date))\">\(Times.text(date))</time>"
    }

    private static let style = """
        .totals .broken b { color: var(--failed-ink); }
        .totals .needed b { color: var(--flaked-ink); }
        .totals .notSeen b { color: var(--passed-ink); }
        .badge.broken { background: var(--failed-tint); color: var(--failed-ink); }
        .badge.notSeen { background: var(--passed-tint); color: var(--passed-ink); }
        .badge.new, .badge.removed { background: var(--code); color: var(--soft); }
        .marks { margin-top: 1rem; }
        .runs { display: flex; align-items: end; gap: 1px; height: 1.6rem; }
        .run {
          display: inline-flex; flex: 1 1 0; align-items: end; min-width: 1px; max-width: 1rem; height: 100%;
          border-bottom: 2px dotted var(--line);
        }
        .run.ran { border-bottom: 2px solid var(--passed); }
        .run i { display: block; width: 100%; background: var(--flaked); border-radius: 2px 2px 0 0; }
        .legend .run { flex: none; width: .8rem; height: 1rem; }
        @media (max-width: 44rem) { summary .runs { grid-column: 1 / -1; } }
        """
}
