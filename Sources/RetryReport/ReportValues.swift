import Foundation

/// The text of points in time in a report: RFC 3339, UTC, milliseconds (`2026-03-01T09:30:00.250Z`).
package enum Timestamp {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    /// The years 1600, before which Foundation counts days by another calendar, to 9999, the last of four digits.
    private static let range = -11_676_096_000...253_402_300_799.999

    /// Dates before 1600 and after 9999 are moved to the nearest between.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let milliseconds = (1000 * (seconds.isNaN ? 0 : min(max(seconds, range.lowerBound), range.upperBound)))
            .rounded()
        // Foundation cuts off what is less than a millisecond, and a date is not exact.
        return style.format(Date(timeIntervalSince1970: (milliseconds + 0.1) / 1000))
    }

    /// `nil` if `text` is not a time in this form; a fraction may be missing, and any offset will do.
    package static func date(_ text: String) -> Date? {
        guard let date = try? style.parse(text) else { return nil }
        return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1_000_000).rounded() / 1_000_000)
    }
}

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
        guard number == number.rounded() else {
            let problem = "is \(number), not a whole number"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: problem)
        }
        self.init(wrappedValue: Int(min(max(number, 0), 1e9)))
    }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
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

extension SingleValueDecodingContainer {
    /// Returns a number; an error says where it stands, which Foundation's does not if no `Double` can hold it.
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
