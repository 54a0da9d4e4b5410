import Foundation

/// Synthesized decoders of this module call these in place of the standard library's functions of the same names, because
/// Foundation does not say where a number or a text stands that it cannot hold.
extension KeyedDecodingContainer {
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(key) }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try required(key) }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(key) }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key) }

    /// A list that is missing is empty.
    func decode<Element: Decodable>(_ type: [Element].Type, forKey key: Key) throws -> [Element] {
        try optional(key) ?? []
    }

    private func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try required(key) as Value
    }

    /// What stands under a key.
    func required<Value: Decodable>(_ key: Key) throws -> Value {
        do {
            return try decode(Value.self, forKey: key)
        } catch let error as DecodingError {
            throw error
        } catch {
            let problem =
                (try? decode(Double.self, forKey: key)).map { "is \($0), not a whole number" }
                ?? "is not \(UnreadableReport.words(for: Value.self)) that can be read"
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: problem)
        }
    }
}

/// One of a few words that a report knows.
package protocol ReportKeyword: RawRepresentable<String>, Hashable, CaseIterable, Codable {}

extension ReportKeyword {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let word = Self(rawValue: text) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            let problem = "is \"\(text)\", not one of \(known)"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: problem)
        }
        self = word
    }
}
