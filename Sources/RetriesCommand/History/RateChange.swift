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
    /// The log-likelihood ratio below which chance always explains a split, and the one from which it never does.
    ///
    /// From the second on, the probability is below 0.005 even with a million runs, so it need not be computed.
    private static let (alwaysChance, neverChance) = (4.0, 20.0)

    /// Finds the split that explains the flakes best; `nil` if chance may explain them.
    ///
    /// - Parameter flaked: A value for each run that entered the mark, in order: `true` if it flaked.
    init?(_ flaked: [Bool], level: Double = 0.01) {
        guard flaked.count >= 2 * Self.fewestRuns else { return nil }
        // The number of flakes before each run and, at the end, in all runs.
        var sums = [0]
        for hasFlaked in flaked { sums.append(sums[sums.count - 1] + (hasFlaked ? 1 : 0)) }
        let (runs, total) = (flaked.count, sums[flaked.count])
        let likelihood = SplitLikelihood(runs: runs, flaked: total)
        let splits = Self.fewestRuns...(runs - Self.fewestRuns)
        let ratios = splits.map { likelihood.ratio(split: $0, flakedBefore: sums[$0]) }
        guard let best = ratios.max(), let index = ratios.firstIndex(of: best), best >= Self.alwaysChance,
            best >= Self.neverChance || likelihood.chance(ofRatio: best, at: splits) < level
        else { return nil }
        first = splits.lowerBound + index
        let close = ratios.indices.filter { ratios[$0] >= best - Self.tolerance }
        range = (splits.lowerBound + (close.first ?? index))...(splits.lowerBound + (close.last ?? index))
        before = Double(sums[first]) / Double(first)
        after = Double(total - sums[first]) / Double(runs - first)
    }
}

/// The likelihood of two rates, one before a split and one after it, relative to a single rate.
private struct SplitLikelihood {
    let runs: Int
    let flaked: Int
    /// `n * log(n)` for each count `n`.
    private let products: [Double]

    init(runs: Int, flaked: Int) {
        self.runs = runs
        self.flaked = flaked
        products = (0...runs).map { $0 == 0 ? 0 : Double($0) * log(Double($0)) }
    }

    /// The logarithm of the ratio.
    func ratio(split: Int, flakedBefore: Int) -> Double {
        likelihood(flakedBefore, of: split) + likelihood(flaked - flakedBefore, of: runs - split)
            - likelihood(flaked, of: runs)
    }

    private func likelihood(_ count: Int, of runs: Int) -> Double {
        products[count] + products[runs - count] - products[runs]
    }

    /// The probability that any of `splits` has such a ratio if the flakes are spread over the runs at random.
    ///
    /// It is exact, unlike a sample of permutations. Run by run, `chances` holds for each number of flakes so far the
    /// probability of the orders that lead there and in which no split has reached the ratio yet.
    func chance(ofRatio ratio: Double, at splits: ClosedRange<Int>) -> Double {
        let limit = ratio - 1e-9
        var chances = [Double](repeating: 0, count: flaked + 2)
        chances[0] = 1
        var (low, high) = (0, 0)
        for split in 1...splits.upperBound {
            let left = Double(runs - split + 1)
            for count in stride(from: high, through: low, by: -1) {
                let flakes = chances[count] * Double(flaked - count) / left
                chances[count + 1] += flakes
                chances[count] -= flakes
            }
            high = min(high + 1, flaked, split)
            low = max(low, flaked - (runs - split))
            guard splits.contains(split) else { continue }
            // The ratio grows with the distance from the mean rate, so the numbers that reach it are at the ends.
            while low <= high, self.ratio(split: split, flakedBefore: low) >= limit {
                chances[low] = 0
                low += 1
            }
            while low <= high, self.ratio(split: split, flakedBefore: high) >= limit {
                chances[high] = 0
                high -= 1
            }
            if low > high { return 1 }
        }
        return 1 - chances[low...high].reduce(0, +)
    }
}
