extension Double {
    /// Whole milliseconds; what no clock could measure is cut to what one could.
    var milliseconds: Int {
        isNaN ? 0 : Int((Swift.min(Swift.max(self, -1e11), 1e11) * 1000).rounded())
    }

    /// Seconds with three digits after the point, for files that want them so: `0.004`.
    var seconds: String {
        let milliseconds = Swift.max(0, self.milliseconds)
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
