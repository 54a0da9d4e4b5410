import Foundation

extension Double {
    /// Whole milliseconds; what no clock could measure is cut to what one could.
    var milliseconds: Int {
        isNaN ? 0 : Int((Swift.min(Swift.max(self, -1e11), 1e11) * 1000).rounded())
    }

    /// Seconds with three digits after the point, for files that want them so: `0.004`.
    var seconds: String { String(format: "%.3f", Double(Swift.max(0, milliseconds)) / 1000) }
}
