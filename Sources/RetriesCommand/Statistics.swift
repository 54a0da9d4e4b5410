import Foundation

/// Wilson's interval: the rates that agree with a number of events in some runs, with 95 % confidence.
///
/// It holds for few runs and for rates near 0: for no event in 200 runs it says "below 1.9 %", not "0 %".
struct ConfidenceInterval: Hashable {
    let low: Double
    let high: Double

    /// The standard deviations, on either side of the mean, that hold 95 % of a normal distribution.
    private static let z = 1.959963984540054

    /// The interval for `count` events in `runs`; from 0 to 1 if there was no run.
    init(_ count: Int, of runs: Int) {
        let n = Double(runs)
        let rate = Double(count) / n
        let square = Self.z * Self.z
        let center = rate + square / (2 * n)
        let width = Self.z * (rate * (1 - rate) / n + square / (4 * n * n)).squareRoot()
        // Exact if no run or each run had an event, because rounding must not put an end beyond the rate.
        low = count == 0 ? 0 : (center - width) / (1 + square / n)
        high = count == runs ? 1 : (center + width) / (1 + square / n)
    }

    /// A text such as `1.7 % to 7.1 %`.
    var text: String { "\(low.percent) to \(high.percent)" }
}

/// The hypergeometric distribution of the bad runs in a sample, if chance alone decides which are bad.
struct Hypergeometric {
    let runs: Int
    let bad: Int
    let sample: Int

    /// The possible numbers of bad runs in the sample.
    var counts: ClosedRange<Int> { max(0, bad + sample - runs)...min(bad, sample) }

    func probability(of count: Int) -> Double {
        exp(Self.ways(count, of: bad) + Self.ways(sample - count, of: runs - bad) - Self.ways(sample, of: runs))
    }

    /// The logarithm of the number of ways to choose `count` of `all`.
    private static func ways(_ count: Int, of all: Int) -> Double {
        lgamma(Double(all + 1)).0 - lgamma(Double(count + 1)).0 - lgamma(Double(all - count + 1)).0
    }
}
