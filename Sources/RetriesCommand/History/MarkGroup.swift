import Foundation
import Groundwork
import RetryReport

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

    init(_ cluster: FlakeCluster, of all: [MarkHistory]) {
        let marks = cluster.marks.map { all[$0] }
        let places = Set(cluster.marks)
        reasons = marks.map(\.newest.mark.reason)
        (runs, together, byChance) = (cluster.runs, cluster.together, cluster.byChance)
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
        (self.marks, self.places, self.common) = (marks, places, common)
    }

    /// The facts that they share, and the marks.
    var facts: [String] { common + marks.map { "mark: \($0.newest.mark.reason), at \($0.newest.place)" } }

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
