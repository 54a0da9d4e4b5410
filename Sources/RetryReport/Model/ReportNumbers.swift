/// A count as a report has it: clamped to 0...1,000,000,000, because a file may contain an impossible one.
@propertyWrapper
package struct ReportCount: Hashable, Sendable, Codable {
    package var wrappedValue: Int {
        didSet { wrappedValue = Self.clamped(wrappedValue) }
    }

    package init(wrappedValue count: Int) {
        wrappedValue = Self.clamped(count)
    }

    private static func clamped(_ count: Int) -> Int { min(max(count, 0), 1_000_000_000) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try container.decodeNumber()
        guard let count = Int(exactly: number) else {
            let problem = "is \(number), not a whole number"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: problem)
        }
        self.init(wrappedValue: count)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// A number of seconds as a report has it, to the microsecond.
///
/// Negative durations, which come from a clock that was set back, and NaN become 0.
@propertyWrapper
package struct ReportSeconds: Hashable, Sendable, Codable {
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
        self.init(wrappedValue: try decoder.singleValueContainer().decodeNumber())
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension SingleValueDecodingContainer {
    /// Returns a number; an error says where it stands, which Foundation's does not if no `Int` or `Double` can hold it.
    fileprivate func decodeNumber() throws -> Double {
        do {
            return try decode(Double.self)
        } catch let error as DecodingError {
            throw error
        } catch {
            throw DecodingError.dataCorruptedError(in: self, debugDescription: "is not a number that can be read")
        }
    }
}
