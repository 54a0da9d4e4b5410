import Foundation

/// A change of a mark's rate, with the commits that may have caused it; encoded as JSON.
struct MarkChange: Encodable {
    /// The likeliest first run after the change.
    let commit: String?
    let startedAt: Date
    /// The commits of the first and the last run of ``range``.
    let earliest, latest: String?
    let before, after: Double
    /// The runs that may be the first after the change, and the run before them.
    let range: ArraySlice<HistoryRun>
    let previous: HistoryRun
    private let first: HistoryRun

    private enum CodingKeys: CodingKey {
        case commit, earliest, latest, startedAt, before, after
    }

    /// Finds the change; `nil` if chance may explain all differences. The level is a history's; `RunComparison` gives its own.
    init?(_ flaked: [Bool?], in runs: [HistoryRun], level: Double = 0.01) {
        let entered = zip(flaked, runs).compactMap { flaked, run in flaked.map { (flaked: $0, run: run) } }
        guard let change = RateChange(entered.map(\.flaked), level: level) else { return nil }
        let runs = entered.map(\.run)
        range = runs[change.range]
        previous = runs[change.range.lowerBound - 1]
        first = runs[change.first]
        (commit, startedAt) = (first.commit, first.startedAt)
        (earliest, latest) = (range.first?.commit, range.last?.commit)
        (before, after) = (change.before, change.after)
    }

    var isRise: Bool { after > before }

    /// A sentence such as `since 3f2a91c it flakes in 52 % of runs, before in 2 % (the change is among 7 runs, …)`.
    var sentence: String {
        let ends = [range.first, range.last].compactMap { $0?.name }
        let span = Set(ends).count == 1 ? "all of \(ends[0])" : "from \(ends.joined(separator: " to "))"
        let among = range.count == 1 ? "" : " (the change is among \(range.count) runs, \(span))"
        return "since \(first.name) it flakes in \(after.percent) of runs, before in \(before.percent)\(among)"
    }

    /// The command that shows the commits to look at; `nil` if they are not known, or are one and the same.
    var command: String? {
        guard let before = previous.hash, let last = range.last?.hash, before != last else { return nil }
        return "git log \(before)..\(last)"
    }
}

extension HistoryRun {
    private static let shortest = 10

    /// The commit or, if it is not known, the time.
    var name: String { commit.map { String($0.prefix(Self.shortest)) } ?? "the run of \(Times.text(startedAt))" }

    /// The commit, if it is safe in a command: a report is a file and may contain any text.
    fileprivate var hash: String? {
        guard let commit, commit.count >= 7, commit.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        return String(commit.prefix(Self.shortest))
    }
}
