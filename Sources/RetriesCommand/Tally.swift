import Foundation

/// The counts of runs under one condition, or of those before or after a change.
struct Tally: Hashable, Encodable {
    var runs = 0
    /// The runs that failed, flaked or died.
    var bad = 0
    /// The bad runs in which tests only flaked.
    var flaked = 0

    private enum CodingKeys: CodingKey { case runs, bad }

    var interval: ConfidenceInterval { ConfidenceInterval(bad, of: runs) }
    var rate: Double { runs == 0 ? 0 : Double(bad) / Double(runs) }

    mutating func add(_ outcome: RepetitionOutcome) {
        runs += 1
        if outcome != .passed { bad += 1 }
        if outcome == .flaked { flaked += 1 }
    }

    /// A text such as `15 of 24`, with the flakes among them.
    var text: String { runs == 0 ? "not run" : "\(bad) of \(runs)" + (flaked > 0 ? " (\(flaked) flaked)" : "") }

    /// The probability of a difference at least as unlikely as that from `other`, if both have the same rate of bad runs:
    /// Fisher's exact test, two-sided, which holds for few runs and for rates near 0 and 1.
    func p(against other: Tally) -> Double {
        let chance = Hypergeometric(runs: runs + other.runs, bad: bad + other.bad, sample: runs)
        // The tolerance is for equal probabilities that are rounded differently.
        let limit = chance.probability(of: bad) * (1 + 1e-7)
        return min(1, chance.counts.map(chance.probability).filter { $0 <= limit }.reduce(0, +))
    }

    /// A text such as `p < 0.001` or `p = 0.04`, with one significant digit.
    static func text(p: Double) -> String {
        guard p >= 0.001 else { return "p < 0.001" }
        return "p = " + String(format: p < 0.01 ? "%.3f" : "%.2f", p)
    }
}
