extension Double {
    /// Whole milliseconds; what no clock could measure is cut to what one could.
    var milliseconds: Int {
        isNaN ? 0 : Int((Swift.min(Swift.max(self, -1e11), 1e11) * 1000).rounded())
    }

    /// Seconds as a headline has them: with one digit after the point, `45.4`, unless there are only a few.
    var roundedSeconds: String {
        guard milliseconds >= 1000 else { return seconds }
        let tenths = (milliseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Seconds with three digits after the point, and no more than that: `0.004`.
    var seconds: String {
        let milliseconds = Swift.max(0, self.milliseconds)
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
