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
        let allBad = bad + other.bad
        // The weight of a count is the probability that this tally has so many of all bad runs, divided by the probability
        // of `bad`, so that no factorial is needed. This is the ratio of the next count's weight to this one's.
        func ratio(_ count: Int) -> Double {
            Double(allBad - count) * Double(runs - count)
                / (Double(count + 1) * Double(other.runs - allBad + count + 1))
        }
        func weights(_ ratios: [Double]) -> [Double] {
            ratios.reduce(into: [1]) { weights, ratio in weights.append(weights[weights.count - 1] * ratio) }
        }
        let more = weights(stride(from: bad, to: min(runs, allBad), by: 1).map(ratio))
        let fewer = weights(stride(from: bad - 1, through: max(0, allBad - other.runs), by: -1).map { 1 / ratio($0) })
        let all = more + fewer.dropFirst()
        return min(1, all.filter { $0 <= 1 + 1e-7 }.reduce(0, +) / all.reduce(0, +))
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
    }

    let rounds: Int
    private(set) var round = 0
    /// The runs with which all others are compared, then those under each condition.
    private(set) var rows: [Row]
    /// `false` if there is one row from the beginning, for runs that are only counted.
    let isComparison: Bool

    init(of conditions: [Condition?], rounds: Int) {
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
        let open = rows.filter { $0.isCause == nil }.map(\.condition)
        guard round < rounds, open.count > 1 || !isComparison else { return [] }
        return round.isMultiple(of: 2) ? open : open.reversed()
    }

    /// Adds a run under a condition.
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
        let open = rows.indices.dropFirst().filter { rows[$0].isCause == nil }
        for index in open { rows[index].p = rows[index].tally.p(against: first) }
        let probabilities = rows.map { $0.p ?? 1 }
        let isSignificant = [false] + Self.holm(Array(probabilities.dropFirst()), level: level)
        for index in open where isSignificant[index] || probabilities[index] > limit {
            rows[index].isCause = isSignificant[index]
        }
    }

    /// Holm's method: the smallest of n probabilities has to be at most level / n, the next one level / (n - 1), and so on.
    ///
    /// - Returns: For each probability, `true` if it is significant.
    static func holm(_ probabilities: [Double], level: Double) -> [Bool] {
        var isSignificant = Array(repeating: false, count: probabilities.count)
        let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
        for (rank, index) in order.enumerated() {
            guard probabilities[index] <= level / Double(probabilities.count - rank) else { break }
            isSignificant[index] = true
        }
        return isSignificant
    }
}
