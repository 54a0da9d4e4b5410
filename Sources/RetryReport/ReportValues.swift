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
        func known() -> String { Self.allCases.map(\.rawValue).joined(separator: ", ") }
        self = try decoder.value("one of \(known())") { Self(rawValue: $0) }
    }
}

// MARK: - Decoding

extension Decoder {
    /// The value that a text stands for; an error names the text and what was expected.
    func value<Value>(_ expected: @autoclosure () -> String, _ read: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        if let value = read(text) { return value }
        let problem = "is \"\(text)\", not \(expected())"
        throw DecodingError.dataCorruptedError(in: container, debugDescription: problem)
    }
}

// A file may lack a value, or have an impossible number.
extension KeyedDecodingContainer {
    /// A value; `nil` if it is missing.
    func optional<Value: Decodable>(_ key: Key) throws -> Value? { try decodeIfPresent(Value.self, forKey: key) }

    /// A number from 0 to 1,000,000,000; 0 if it is missing.
    func number(_ key: Key) throws -> Double {
        (try decodeIfPresent(Double.self, forKey: key) ?? 0).roundedForReport
    }

    /// A whole number from 0 to 1,000,000,000; 0 if it is missing.
    func count(_ key: Key) throws -> Int {
        guard let number = try decodeIfPresent(Double.self, forKey: key) else { return 0 }
        guard number == number.rounded() else {
            let problem = "is \(number), not a whole number"
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: problem)
        }
        return Int(number.clamped)
    }
}

// MARK: - Encoding

extension Encoder {
    /// Encodes these values by their keys, except those that are `nil`.
    package func encode<Key: CodingKey>(_ values: KeyValuePairs<Key, (any Encodable)?>) throws {
        var container = container(keyedBy: Key.self)
        for case (let key, let value?) in values { try container.encode(value, forKey: key) }
    }
}

extension Double {
    /// Seconds as a report has them: to the microsecond, and 0 if they are negative because a clock was set back.
    package var roundedForReport: Double { (clamped * 1_000_000).rounded() / 1_000_000 }

    fileprivate var clamped: Double { min(max(0, self), 1e9) }
}
