/// What something adds to runs: those with it against those without it.
struct Difference {
    var with: [Double]
    var without: [Double]

    /// The difference of the medians; `nil` if it does not stand out from what the runs differ by anyway.
    var median: Double? {
        let difference = with.median - without.median
        return difference > 2 * (with.spread + without.spread) ? difference : nil
    }
}

extension [Double] {
    /// How far half of the values stay from the median: a few outliers do not change it.
    var spread: Double { map { abs($0 - median) }.median }
}
