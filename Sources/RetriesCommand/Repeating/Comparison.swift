import Foundation

/// The number of runs under one condition, and of those that were bad.
struct Tally: Hashable, Encodable {
    var runs = 0
    /// The runs that failed, flaked or died.
    var bad = 0
    /// The bad runs in which nothing went wrong but flakes.
    var flaked = 0

    private enum CodingKeys: CodingKey { case runs, bad }

    var interval: ConfidenceInterval { ConfidenceInterval(bad, of: runs) }
    var rate: Double { runs == 0 ? 0 : Double(bad) / Double(runs) }

    mutating func add(_ outcome: RunOutcome) {
        runs += 1
        if outcome != .passed { bad += 1 }
        if outcome == .flaked { flaked += 1 }
    }

    /// A text such as `15 of 24`, with the flakes among them.
    var text: String { "\(bad) of \(runs)" + (flaked > 0 ? " (\(flaked) flaked)" : "") }

    /// The probability of a difference at least as unlikely as the one between these runs and others of the same rate.
    ///
    /// Fisher's exact test, two-sided. It holds for few runs and for rates near 0 and 1.
    func p(against other: Tally) -> Double {
        let chance = Hypergeometric(runs: runs + other.runs, bad: bad + other.bad, sample: runs)
        // With a tolerance, because equal probabilities may be rounded differently.
        let limit = chance.probability(of: bad) * (1 + 1e-7)
        return min(1, chance.counts.map(chance.probability).filter { $0 <= limit }.reduce(0, +))
    }

    /// A text such as `p < 0.001` or `p = 0.04`, with one digit that counts.
    static func text(p: Double) -> String {
        guard p >= 0.001 else { return "p < 0.001" }
        return "p = " + String(format: p < 0.01 ? "%.3f" : "%.2f", p)
    }
}

/// The comparison of runs under conditions with runs as is, which decides early where the result is clear.
///
/// Fisher's test, corrected by Holm for the number of conditions. Each look at the numbers is one more chance of an error, so
/// the early ones are strict. In simulations (24 rounds, 7 conditions), a test that fails at random is given a cause in at
/// most 2 % of the comparisons, and a change from 2 to 60 % is found in 97 %. Looks before the tenth round miss causes.
struct Comparison {
    /// The runs under one condition and the decision on it.
    struct Row {
        /// `nil` for the runs as is.
        let condition: Condition?
        fileprivate(set) var tally = Tally()
        /// The probability of such a difference if the condition does not matter; `nil` if the runs were not compared.
        fileprivate(set) var p: Double?
        /// `true` if the condition matters, `false` if it is not compared any longer; `nil` as long as that is open.
        fileprivate(set) var isCause: Bool?

        var isCompared: Bool { condition != nil && condition != .races }
        /// `true` if more runs are needed. Three show most data races.
        fileprivate var isOpen: Bool { isCause == nil && (condition != .races || tally.runs < 3) }
    }

    /// The number of rounds; `nil` if only time ends the runs.
    let rounds: Int?
    private(set) var round = 0
    /// The runs with which all others are compared, then those under each condition.
    private(set) var rows: [Row]
    /// `false` if there is one row from the beginning, for runs that are only counted.
    let isComparison: Bool

    init(of conditions: [Condition?], rounds: Int?) {
        self.rounds = rounds
        isComparison = conditions.count > 1
        rows = conditions.map { Row(condition: $0) }
    }

    var first: Tally { rows[0].tally }

    /// The conditions that matter, the clearest first.
    var causes: [Row] { rows.filter { $0.isCause == true }.sorted { $0.p ?? 1 < $1.p ?? 1 } }

    /// The conditions of the next round, `nil` for the runs as is; empty if all is decided.
    ///
    /// Every other round is in reverse order, so that a machine that becomes slower favors none of them.
    var nextRound: [Condition?] {
        let open = rows.filter(\.isOpen).map(\.condition)
        guard round < rounds ?? .max, open.count > 1 || !isComparison else { return [] }
        return round.isMultiple(of: 2) ? open : open.reversed()
    }

    mutating func add(_ outcome: RunOutcome, under condition: Condition?) {
        for index in rows.indices where rows[index].condition == condition { rows[index].tally.add(outcome) }
    }

    /// Leaves a condition out, as if it had never been one.
    mutating func remove(_ condition: Condition) {
        rows.removeAll { $0.condition == condition }
    }

    /// Ends a round, and looks at the numbers after the last round and up to three earlier ones.
    mutating func endRound() {
        round += 1
        guard let rounds, isComparison else { return }
        if round >= rounds {
            decide()
        } else if [10, 15, 20].contains(where: { round == $0 * max(rounds, 24) / 24 }) {
            look(level: 0.005, dropping: 0.5)
        }
    }

    /// Decides on all conditions; strictly if a user ended the runs early, perhaps because of the numbers.
    mutating func decide(isEarly: Bool = false) {
        look(level: isEarly ? 0.005 : 0.05, dropping: 0)
    }

    /// Finds the conditions that are significant at a level, and drops those whose probability is greater than a limit.
    private mutating func look(level: Double, dropping limit: Double) {
        let compared = rows.indices.filter { rows[$0].isCompared }
        for index in compared where rows[index].isCause == nil { rows[index].p = rows[index].tally.p(against: first) }
        let probabilities = compared.map { rows[$0].p ?? 1 }
        for (index, isSignificant) in zip(compared, Self.holm(probabilities, level: level))
        where rows[index].isCause == nil {
            if isSignificant || rows[index].p ?? 1 > limit { rows[index].isCause = isSignificant }
        }
    }

    /// Holm's method: the smallest of n probabilities has to be at most level / n, the next one level / (n - 1), and so on.
    ///
    /// - Returns: For each probability, `true` if it is significant.
    static func holm(_ probabilities: [Double], level: Double) -> [Bool] {
        let sorted = probabilities.sorted()
        let passed = sorted.enumerated().prefix { rank, p in p <= level / Double(sorted.count - rank) }
        return probabilities.map { $0 <= passed.last?.element ?? -1 }
    }
}
