import Foundation
import Groundwork
import RetryReport

/// A shape that a history can be shown in.
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

    /// `history` in this shape.
    func bytes(of history: History, for terminal: Terminal) throws -> [UInt8] {
        switch self {
        case .text: Array(HistoryTextFormat(terminal).text(of: history).utf8)
        case .markdown: Array(HistoryMarkdownFormat().text(of: history).utf8)
        case .html: Array(HistoryHTMLFormat().text(of: history).utf8)
        case .json: try JSONText.bytes(of: HistoryDocument(history))
        }
    }
}

extension History {
    /// Such as `4 marks in 200 runs: 1 broken, 2 needed, 1 can go`.
    var sentence: String {
        let counts = MarkVerdict.allCases.compactMap { verdict -> String? in
            let count = marks.count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(verdict.words)"
        }
        guard !marks.isEmpty else { return "No mark in \(runs.count.of("run"))" }
        return "\(marks.count.of("mark")) in \(runs.count.of("run")): \(counts.joined(separator: ", "))"
    }

    /// What else there is to know of the runs.
    var notes: [String] {
        var notes: [String] = []
        let dates = runs.compactMap(\.startedAt)
        if let first = dates.first, let last = dates.last, first != last {
            notes.append("From \(Times.words(first)) to \(Times.words(last))")
        }
        let unfinished = runs.count(where: \.isUnfinished)
        if unfinished > 0 {
            notes.append("\(unfinished.of("run")) did not end: what a process that died had not written is not counted")
        }
        let uncounted = runs.count { !$0.countsMarks }
        if uncounted > 0 {
            notes.append(
                "\(uncounted.of("run")) of a version that did not count marks: "
                    + "what flaked in them is known, not how often the marks ran"
            )
        }
        return notes
    }
}

extension MarkCount {
    var markName: String { fixable ? "fixable" : "not fixable" }
}

extension MarkHistory {
    /// The mark over all runs.
    func trend(width: Int) -> Trend { Trend(flaked, width: width) }

    /// Such as `seen from 2026-03-01 09:30:04 UTC to …`; `nil` if no run says when it was.
    var seen: String? {
        guard let firstSeen, let lastSeen else { return nil }
        guard firstSeen != lastSeen else { return "seen: \(Times.words(firstSeen))" }
        return "seen: from \(Times.words(firstSeen)) to \(Times.words(lastSeen))"
    }
}

extension MarkHistory.LastFlake {
    private static let longestMessage = 200

    /// When, in which test, and with what.
    var words: String {
        let time = at.map(Times.words)
        let name = test.map { test in module.map { "\($0) \(test)" } ?? test } ?? "in a run that did not retry"
        let place = place.map { ", at \($0)" } ?? ""
        let message = message.map { ": \($0.cut(to: Self.longestMessage))\(place)" } ?? ""
        return [time, name].compactMap { $0 }.joined(separator: ", ") + message
    }
}

extension FlakedTest {
    /// Such as `4.2 s in ShopTests -[LoginTests testSignsIn], 7 flakes`.
    var cost: String {
        seconds > 0
            ? "\(Durations.words(seconds)) in \(fullName), \(flakes.of("flake"))"
            : "\(flakes.of("flake")) in \(fullName)"
    }
}

/// A mark over time: the runs in their order, as a bar that is so many blocks wide at most.
struct Trend: Hashable {
    /// Runs that follow each other.
    struct Block: Hashable, Encodable {
        /// In how many of them the mark ran.
        var runs = 0
        /// In how many of them it flaked.
        var flaked = 0
    }

    let blocks: [Block]

    /// - Parameters:
    ///   - runs: For each run whether the mark flaked in it; `nil` where it did not run.
    ///   - width: How many blocks there may be. If there are more runs, each block stands for several.
    init(_ runs: [Bool?], width: Int) {
        let count = min(runs.count, max(width, 1))
        var blocks = [Block](repeating: Block(), count: count)
        for (index, flaked) in runs.enumerated() {
            guard let flaked else { continue }
            let block = index * count / runs.count
            blocks[block].runs += 1
            if flaked { blocks[block].flaked += 1 }
        }
        self.blocks = blocks
    }

    /// The bar for a terminal: the higher, the more of a block's runs flaked; `·` where the mark did not run.
    var text: String {
        String(blocks.map(Self.character))
    }

    private static let heights: [Character] = ["▂", "▃", "▄", "▅", "▆", "▇", "█"]

    private static func character(_ block: Block) -> Character {
        guard block.runs > 0 else { return "·" }
        guard block.flaked > 0 else { return "▁" }
        // One flake of many runs is to be seen all the same.
        return heights[(block.flaked * heights.count - 1) / block.runs]
    }
}

/// A history as other tools read it.
struct HistoryDocument: Encodable {
    var schemaVersion = 1
    /// The newest run last.
    var runs: [History.Run]
    var marks: [Mark]
    /// After how many runs without a flake a mark can go.
    var stale: Int

    init(_ history: History) {
        runs = history.runs
        marks = history.marks.map { Mark(mark: $0) }
        stale = history.enough
    }

    struct Mark: Encodable {
        let mark: MarkHistory
        private static let trendWidth = 60

        private enum CodingKeys: CodingKey {
            case file, line, module, reason, fixable, maxRetryCount, rate, rateLow, rateHigh, firstSeen, lastSeen
            case isInNewestRun, lastFlake, tests, trend, verdict, why
        }

        func encode(to encoder: any Encoder) throws {
            // Its keys stand beside those of the mark.
            try mark.evidence.encode(to: encoder)
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encodeIfPresent(mark.file, forKey: .file)
            try values.encodeIfPresent(mark.line, forKey: .line)
            try values.encodeIfPresent(mark.newest.module, forKey: .module)
            try values.encode(mark.newest.reason, forKey: .reason)
            try values.encode(mark.newest.fixable, forKey: .fixable)
            try values.encode(mark.newest.maxRetryCount, forKey: .maxRetryCount)
            if mark.evidence.runs > 0 {
                try values.encode(mark.evidence.rate, forKey: .rate)
                try values.encode(mark.evidence.interval.low, forKey: .rateLow)
                try values.encode(mark.evidence.interval.high, forKey: .rateHigh)
            }
            try values.encodeIfPresent(mark.firstSeen, forKey: .firstSeen)
            try values.encodeIfPresent(mark.lastSeen, forKey: .lastSeen)
            try values.encode(mark.isInNewestRun, forKey: .isInNewestRun)
            try values.encodeIfPresent(mark.lastFlake, forKey: .lastFlake)
            try values.encode(mark.tests, forKey: .tests)
            try values.encode(mark.trend(width: Self.trendWidth).blocks, forKey: .trend)
            try values.encode(mark.verdict.rawValue, forKey: .verdict)
            try values.encode(mark.why, forKey: .why)
        }
    }
}
