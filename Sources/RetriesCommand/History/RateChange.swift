import Foundation

/// A split of a mark's runs, after which it flakes clearly more often than before, or less often.
struct RateChange: Hashable {
    /// The likeliest first run after the change, among the runs that entered the mark.
    let first: Int
    /// The runs of which each may be the first; the others explain the flakes clearly worse.
    let range: ClosedRange<Int>
    /// The rates before the likeliest run, and from it on.
    let (before, after): (Double, Double)

    /// The fewest runs on each side of the split.
    private static let few = 5
    /// The greatest distance, in the logarithm of the likelihood, of splits that explain the flakes nearly as well as the best.
    private static let near = 3.0
    /// The logarithms of the likelihood's ratio below which a split is always within chance, and from which it never is.
    ///
    /// Beyond the second, the chance is under 0.005 with a million runs, so that it need not be counted.
    private static let (least, enough) = (4.0, 20.0)

    /// Finds the split that explains the flakes best; `nil` if chance may explain them.
    ///
    /// - Parameters:
    ///   - flaked: For each run that entered the mark whether it flaked.
    ///   - level: The chance below which chance is no explanation.
    init?(_ flaked: [Bool], level: Double = 0.01) {
        guard flaked.count >= 2 * Self.few else { return nil }
        let sums = flaked.reduce(into: [0]) { sums, flaked in sums.append(sums[sums.count - 1] + (flaked ? 1 : 0)) }
        let (runs, total) = (flaked.count, sums[flaked.count])
        let likelihood = SplitLikelihood(runs: runs, flaked: total)
        let splits = Self.few...(runs - Self.few)
        let ratios = splits.map { likelihood.ratio(split: $0, flakedBefore: sums[$0]) }
        guard let best = ratios.max(), best >= Self.least, let index = ratios.firstIndex(of: best) else { return nil }
        guard best >= Self.enough || likelihood.chance(ofRatio: best, at: splits) < level else { return nil }
        first = splits.lowerBound + index
        let close = ratios.indices.filter { ratios[$0] >= best - Self.near }
        range = (splits.lowerBound + (close.first ?? index))...(splits.lowerBound + (close.last ?? index))
        before = Double(sums[first]) / Double(first)
        after = Double(total - sums[first]) / Double(runs - first)
    }
}

/// The likelihood of two rates, one before and one after a split of some runs, over the likelihood of one rate.
private struct SplitLikelihood {
    let runs: Int
    let flaked: Int
    /// For each count its product with its logarithm.
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

    /// The chance that any of `splits` has such a ratio if the flakes are spread over the runs at random.
    ///
    /// It is exact, unlike a sample of permutations: run by run, the chances of each number of flakes so far are added up, of
    /// those orders of which no split has had the ratio yet.
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
            // The ratio grows with the distance from the mean rate, so that only the ends can have it.
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
