import Foundation
import Groundwork
import RetryReport

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
