/// A number of seconds as a report has it, to the microsecond.
///
/// Negative durations, which come from a clock that was set back, and NaN become 0.
@propertyWrapper
package struct Seconds: Hashable, Sendable, Codable {
    package var wrappedValue: Double {
        didSet { wrappedValue = Self.rounded(wrappedValue) }
    }

    package init(wrappedValue seconds: Double) {
        wrappedValue = Self.rounded(seconds)
    }

    private static func rounded(_ seconds: Double) -> Double {
        guard seconds > 0, seconds.isFinite else { return 0 }
        let rounded = (seconds * 1_000_000).rounded() / 1_000_000
        return rounded.isFinite ? rounded : seconds
    }

    package init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Double.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
