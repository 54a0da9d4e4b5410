import Foundation
import RetryReport

/// JSON for other tools, the same bytes for the same value.
enum JSONText {
    static func bytes(of value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date))
        }
        return [UInt8](try encoder.encode(value)) + "\n".utf8
    }
}
