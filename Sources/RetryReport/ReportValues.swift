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

// Synthesized code of this module calls these in place of the standard library's functions of the same names.
extension KeyedDecodingContainer {
    /// A missing list is empty, except for the list of tests that flaked: every report has it.
    func decode<Element: Decodable>(_ type: [Element].Type, forKey key: Key) throws -> [Element] {
        if let list = try decodeIfPresent(type, forKey: key) { return list }
        guard type != [FlakyTest].self else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "is missing")
        }
        return []
    }

    /// A count that is missing is 0.
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        let number = try decodeIfPresent(Double.self, forKey: key) ?? 0
        guard number == number.rounded() else {
            let problem = "is \(number), not a whole number"
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: problem)
        }
        return Int(number.clamped)
    }

    /// A duration that is missing is 0.
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        (try decodeIfPresent(type, forKey: key) ?? 0).clamped
    }
}

extension KeyedEncodingContainer {
    /// Seconds are written to the microsecond, and as 0 if they are negative because a clock was set back.
    mutating func encode(_ seconds: Double, forKey key: Key) throws {
        try encodeIfPresent((seconds.clamped * 1_000_000).rounded() / 1_000_000, forKey: key)
    }
}

extension Double {
    /// The nearest number in 0...1,000,000,000, because a file may contain an impossible one.
    fileprivate var clamped: Double { min(max(0, self), 1e9) }
}
