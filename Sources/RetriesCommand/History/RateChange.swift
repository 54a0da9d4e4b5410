import Foundation

/// A split of a mark's runs, after which it flakes clearly more often than before, or less often.
struct RateChange: Hashable {
    /// The likeliest first run after the change, among the runs that entered the mark.
    let first: Int
    /// The runs that may be the first after the change; all others explain the flakes clearly worse.
    let range: ClosedRange<Int>
    /// The rates before the likeliest run, and from it on.
    let (before, after): (Double, Double)

    /// The fewest runs on each side of the split.
    private static let fewestRuns = 5
    /// The most by which a split's log-likelihood may be below the best one's, to be in ``range``.
    private static let tolerance = 3.0

    /// Finds the split that explains best in which of the runs a mark flaked; `nil` if chance may explain it.
    init?(_ flaked: [Bool], level: Double = 0.01) {
        guard flaked.count >= 2 * Self.fewestRuns else { return nil }
        // The number of flakes before each run and, at the end, in all runs.
        let sums = flaked.reduce(into: [0]) { $0.append($0[$0.count - 1] + ($1 ? 1 : 0)) }
        let (runs, total) = (flaked.count, sums[flaked.count])
        // `n * log(n)` for each count `n`, because every split needs several of them.
        let products = (0...runs).map { $0 == 0 ? 0 : Double($0) * log(Double($0)) }
        func logLikelihood(_ count: Int, of runs: Int) -> Double {
            products[count] + products[runs - count] - products[runs]
        }
        let splits = Array(Self.fewestRuns...(runs - Self.fewestRuns))
        let likelihoods = splits.map { split in
            logLikelihood(sums[split], of: split) + logLikelihood(total - sums[split], of: runs - split)
        }
        guard let best = likelihoods.max(), let index = likelihoods.firstIndex(of: best) else { return nil }
        first = splits[index]
        let before = Tally(runs: first, bad: sums[first])
        let after = Tally(runs: runs - first, bad: total - sums[first])
        // Fisher's test, corrected for the number of splits, as each is one more chance of an error. Splits that differ by few
        // runs are hardly more than one: in simulations of up to 1,000 runs, so many keep the level for constant rates.
        let chances = min(Double(splits.count), 6 * log(Double(runs)))
        guard before.p(against: after) * chances < level else { return nil }
        let close = splits.indices.filter { likelihoods[$0] >= best - Self.tolerance }.map { splits[$0] }
        range = (close.first ?? first)...(close.last ?? first)
        (self.before, self.after) = (before.rate, after.rate)
    }
}
