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
        case .text: Array(HistoryTextFormat(hasColor: hasColor).text(of: history).utf8)
        case .markdown: Array(HistoryMarkdownFormat().text(of: history).utf8)
        case .html: Array(HistoryHTMLFormat().text(of: history).utf8)
        case .json: try JSONText.bytes(of: history)
        }
    }
}

// MARK: - Sentences that all formats share

extension History {
    /// The totals, such as `4 marks in 200 runs: 1 broken, 2 needed, 1 can go`.
    var headline: String {
        guard !marks.isEmpty else { return "No mark in \(runs.count.of("run"))" }
        let counts = MarkVerdict.allCases.compactMap { verdict -> String? in
            let count = marks.count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(verdict.name)"
        }
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
}

extension MarkHistory {
    var trend: [TrendBlock] { TrendBlock.row(of: flaked, width: 60) }

    /// A sentence such as `flaked in 7 of 200 runs, 3.5 % (1.7 % to 7.1 %), in 3 of the last 20`.
    var sentence: String { evidence.sentence + (recent.map { ", in \($0)" } ?? "") }

    /// A text such as `from 2026-03-01 09:30:04 UTC to …`.
    var seen: String { "from \(Times.text(firstSeen)) to \(Times.text(lastSeen))" }
}

extension LastFlake {
    var summary: String {
        let message = message.map { ": \($0.cutInTheMiddle(to: 120))" } ?? ", in a run that did not retry"
        return "\(Times.text(at).prefix(10))\(message)"
    }

    var text: String {
        let name = test.map { $0.inModule(module) } ?? "in a run that did not retry"
        let place = place.map { ", at \($0)" } ?? ""
        let message = message.map { ": \($0.cut(to: 200))\(place)" } ?? ""
        return "\(Times.text(at)), \(name)\(message)"
    }
}

extension TestFlakes {
    /// A text such as `4.2 s in ShopTests -[LoginTests testSignsIn], 7 flakes`.
    var cost: String { "\(Durations.text(seconds)) in \(fullName), \(flakes.of("flake"))" }
}

// MARK: - JSON

extension MarkHistory: Encodable {
    private enum CodingKeys: CodingKey {
        case rate, rateLow, rateHigh, firstSeen, lastSeen, isInNewestRun, lastFlake, machine, change, tests, trend
        case verdict, why
    }

    func encode(to encoder: any Encoder) throws {
        // The counts of all runs take the place of the newest run's.
        try newest.encode(to: encoder)
        try evidence.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(evidence.rate, forKey: .rate)
        try values.encode(evidence.interval.low, forKey: .rateLow)
        try values.encode(evidence.interval.high, forKey: .rateHigh)
        try values.encode(firstSeen, forKey: .firstSeen)
        try values.encode(lastSeen, forKey: .lastSeen)
        try values.encode(verdict != .removed, forKey: .isInNewestRun)
        try values.encodeIfPresent(lastFlake, forKey: .lastFlake)
        let machine = ["busy": loads.busy, "measured": loads.count]
        try values.encodeIfPresent(loads.isEmpty ? nil : machine, forKey: .machine)
        try values.encodeIfPresent(change, forKey: .change)
        try values.encode(tests, forKey: .tests)
        try values.encode(trend, forKey: .trend)
        try values.encode("\(verdict)", forKey: .verdict)
        try values.encode(why, forKey: .why)
    }
}
