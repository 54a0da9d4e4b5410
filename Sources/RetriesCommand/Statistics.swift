import Foundation

/// Wilson's interval: the rates that so many events in so many runs leave possible, with 95 % confidence.
///
/// It holds for few runs and for rates near 0, where the interval that adds and subtracts two standard deviations does not:
/// for no event in 200 runs it says "below 1.9 %", not "0 %".
struct ConfidenceInterval: Hashable {
    let low: Double
    let high: Double

    /// The number of standard deviations of the normal distribution that hold 95 %.
    private static let z = 1.959963984540054

    /// The interval for `count` events in `runs`; from 0 to 1 if there was no run.
    init(_ count: Int, of runs: Int) {
        guard runs > 0 else {
            (low, high) = (0, 1)
            return
        }
        let n = Double(runs)
        let rate = Double(count) / n
        let square = Self.z * Self.z
        let center = rate + square / (2 * n)
        let width = Self.z * (rate * (1 - rate) / n + square / (4 * n * n)).squareRoot()
        // Exact where there was no event, or one in each run: rounding must not put an end beside the rate.
        low = count == 0 ? 0 : (center - width) / (1 + square / n)
        high = count == runs ? 1 : (center + width) / (1 + square / n)
    }

    /// A text such as `1.7 % to 7.1 %`.
    var text: String { "\(low.percent) to \(high.percent)" }
}

/// The hypergeometric distribution: the number of bad runs in a sample, if chance alone decides which of all runs are bad.
struct Hypergeometric {
    let runs: Int
    let bad: Int
    let sample: Int

    /// The numbers of bad runs that the sample can have.
    var counts: ClosedRange<Int> { max(0, bad + sample - runs)...min(bad, sample) }

    /// The probability of so many bad runs in the sample.
    func probability(of count: Int) -> Double {
        exp(Self.ways(count, of: bad) + Self.ways(sample - count, of: runs - bad) - Self.ways(sample, of: runs))
    }

    /// The logarithm of the number of ways to choose so many.
    private static func ways(_ count: Int, of all: Int) -> Double {
        lgamma(Double(all + 1)).0 - lgamma(Double(count + 1)).0 - lgamma(Double(all - count + 1)).0
    }
}
