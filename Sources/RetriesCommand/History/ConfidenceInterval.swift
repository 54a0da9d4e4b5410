/// Where a rate lies with 95 % confidence, when something was seen to happen in so many of so many runs: Wilson's interval.
///
/// It holds for few runs and for rates near 0, where the interval that adds and subtracts two standard deviations does not:
/// of nothing seen in 200 runs it says "below 1.9 %", not "0 %".
struct ConfidenceInterval: Hashable {
    let low: Double
    let high: Double

    /// How many standard deviations of the normal distribution hold 95 %.
    private static let z = 1.959963984540054

    /// The interval for `count` of `runs`; everything from 0 to 1 if there was no run.
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
        // The ends are exact where nothing, or everything, was seen: rounding must not put them beside the rate.
        low = count == 0 ? 0 : (center - width) / (1 + square / n)
        high = count == runs ? 1 : (center + width) / (1 + square / n)
    }

    /// Such as `1.7 % to 7.1 %`.
    var words: String { "\(low.percent) to \(high.percent)" }
}

extension Double {
    /// This part of 1 as a person reads it: `3.5 %`, `60 %`, `0.04 %`.
    var percent: String {
        let hundredths = Int((Swift.min(Swift.max(isNaN ? 0 : self, 0), 1) * 10_000).rounded())
        if hundredths < 10 { return hundredths == 0 ? "0 %" : "0.0\(hundredths) %" }
        let tenths = (hundredths + 5) / 10
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }
}
