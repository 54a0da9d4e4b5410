import Foundation

/// The text of points in time in a report: RFC 3339, UTC, milliseconds (`2026-03-01T09:30:00.250Z`).
package enum Timestamp {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    package static func text(_ date: Date) -> String {
        // Foundation cuts off what is less than a millisecond, and a date is not exact.
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        return style.format(Date(timeIntervalSince1970: (milliseconds + 0.1) / 1000))
    }

    /// `nil` if `text` is not a time in this form; a fraction may be missing, and any offset will do.
    package static func date(_ text: String) -> Date? {
        guard let date = try? style.parse(text) else { return nil }
        return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1_000_000).rounded() / 1_000_000)
    }
}

/// A count, clamped to 0...1,000,000,000, because a file may contain an impossible one.
@propertyWrapper
package struct ReportCount: Hashable, Sendable, Codable {
    package var wrappedValue: Int {
        didSet { self = ReportCount(wrappedValue: wrappedValue) }
    }

    package init(wrappedValue count: Int) {
        wrappedValue = min(max(count, 0), 1_000_000_000)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try container.decode(Double.self)
        guard number == number.rounded() else {
            let problem = "is \(number), not a whole number"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: problem)
        }
        self.init(wrappedValue: Int(min(max(number, 0), 1e9)))
    }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A number of seconds, to the microsecond.
///
/// A negative duration, which comes from a clock that was set back, becomes 0, and none is longer than 30 years.
@propertyWrapper
package struct ReportSeconds: Hashable, Sendable, Codable {
    package var wrappedValue: Double {
        didSet { self = ReportSeconds(wrappedValue: wrappedValue) }
    }

    package init(wrappedValue seconds: Double) {
        wrappedValue = (min(max(0, seconds), 1e9) * 1_000_000).rounded() / 1_000_000
    }

    package init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Double.self))
    }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// One of a few words that a report knows. An error names them.
package protocol ReportKeyword: RawRepresentable<String>, Hashable, CaseIterable, Codable {}

extension ReportKeyword {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let keyword = Self(rawValue: text) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            let problem = "is \"\(text)\", not one of \(known)"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: problem)
        }
        self = keyword
    }
}

// Synthesized decoders of this module call these in place of the standard library's functions of the same names.
extension KeyedDecodingContainer {
    /// A list that is missing is empty.
    func decode<Element: Decodable>(_ type: [Element].Type, forKey key: Key) throws -> [Element] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    /// A count that is missing is 0.
    func decode(_ type: ReportCount.Type, forKey key: Key) throws -> ReportCount {
        try decodeIfPresent(type, forKey: key) ?? ReportCount(wrappedValue: 0)
    }
}
