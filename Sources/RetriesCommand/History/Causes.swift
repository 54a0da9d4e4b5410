import Foundation
import Groundwork
import RetryReport

/// A change of a mark's rate, with the commits that may have caused it; encoded as JSON.
struct MarkChange: Encodable {
    /// The commit of the likeliest first run after the change.
    let commit: String?
    /// The commits of the first and the last run of ``range``.
    let earliest, latest: String?
    /// The beginning of the likeliest first run after the change.
    let startedAt: Date
    let before, after: Double
    /// The runs that may be the first after the change, and the run before them.
    let range: ArraySlice<History.Run>
    let previous: History.Run
    private let first: History.Run

    private enum CodingKeys: CodingKey {
        case commit, earliest, latest, startedAt, before, after
    }

    /// Finds the change; `nil` if chance may explain all differences.
    ///
    /// - Parameter flaked: A value for each run: `true` if the mark flaked in it, `nil` if the run did not enter the mark.
    init?(_ flaked: [Bool?], in runs: [History.Run], level: Double = 0.01) {
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

extension History.Run {
    private static let shortest = 10

    /// The commit or, if it is not known, the time.
    var name: String { commit.map { String($0.prefix(Self.shortest)) } ?? "the run of \(Times.text(startedAt))" }

    /// The commit, if it is safe in a command: a report is a file and may contain any text.
    fileprivate var hash: String? {
        guard let commit, commit.count >= 7, commit.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        return String(commit.prefix(Self.shortest))
    }
}

/// Marks that flake together, and the facts that they share; encoded as JSON.
struct MarkGroup: Encodable {
    let marks: [MarkHistory]
    /// The indices of ``marks`` in the history's list.
    let places: Set<Int>
    let reasons: [String]
    let runs: Int
    let together: Int
    let byChance: Double
    /// The facts that these marks share, but not all others, such as `all in module ShopTests`.
    let common: [String]

    private enum CodingKeys: CodingKey { case reasons, runs, together, byChance, common }

    /// - Parameter all: The marks of the history.
    init(_ group: FlakeGroup, of all: [MarkHistory]) {
        marks = group.marks.map { all[$0] }
        places = Set(group.marks)
        reasons = marks.map(\.newest.reason)
        (runs, together, byChance) = (group.runs, group.together, group.byChance)
        let (marks, places) = (marks, places)
        let others = all.indices.filter { !places.contains($0) }.map { all[$0] }
        /// The value that all these marks have, unless all others have it as well.
        func shared(_ value: (MarkHistory) -> String?) -> String? {
            guard let first = marks.first.flatMap(value), marks.allSatisfy({ value($0) == first }) else { return nil }
            return !others.isEmpty && others.allSatisfy { value($0) == first } ? nil : first
        }
        var common: [String] = []
        if let file = shared(\.newest.file) {
            common.append("all in \(file)")
        } else if let module = shared(\.newest.module) {
            common.append("all in module \(module)")
        }
        let words = Self.words(of: marks, others)
        if !words.isEmpty { common.append("all failures say \(words.map { "\"\($0)\"" }.joined(separator: ", "))") }
        let loads = marks.flatMap(\.loads)
        if loads.busy * 4 >= loads.count * 3, let sentence = loads.sentence { common.append(sentence) }
        self.common = common
    }

    /// The facts that they share, and the marks.
    var facts: [String] { common + marks.map { "mark: \($0.newest.reason), at \($0.newest.place)" } }

    /// A sentence such as `these 6 flaked together in 11 of the 12 runs in which any flaked (…): …`.
    var sentence: String {
        let chance = String(format: byChance < 10 ? "%.1f" : "%.0f", byChance)
        let runs = "in \(together) of the \(self.runs.of("run")) in which any flaked"
        return "these \(marks.count) flaked together \(runs) (by chance, \(chance)): probably one cause"
    }

    /// The words that each of these marks has in its last failure, and at most half of the others.
    private static func words(of marks: [MarkHistory], _ others: [MarkHistory]) -> [String] {
        let said = marks.map { $0.lastFlake?.words ?? [] }
        let elsewhere = others.compactMap { $0.lastFlake?.words }
        return Array(
            (said.first ?? []).filter { word in
                said.allSatisfy { $0.contains(word) } && elsewhere.count { $0.contains(word) } * 2 <= elsewhere.count
            }.prefix(5)
        )
    }
}

extension LastFlake {
    /// The test frameworks' own words, which most failures have.
    private static let usual: Set<String> = [
        "failed", "threw", "error", "expectation", "equal", "caught", "true", "false",
    ]

    /// The words that may distinguish the message from others, in their order.
    fileprivate var words: [String] {
        let words = FailureKind(message ?? "").text.split { !$0.isLetter }.map { $0.lowercased() }
        var seen = Self.usual
        return words.filter { $0.count >= 4 && !$0.hasPrefix("xct") && seen.insert($0).inserted }
    }
}

extension [MachineLoad] {
    /// The number of loads under which a wait may have starved.
    var busy: Int { count { $0.cause() != nil } }

    /// A sentence such as `14 of 15 flakes on a busy machine`; `nil` if nothing was measured.
    var sentence: String? { isEmpty ? nil : "\(busy) of \(count.of("flake")) on a busy machine" }
}
