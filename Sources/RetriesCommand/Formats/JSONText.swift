import Foundation

/// JSON for other tools, the same bytes for the same value.
enum JSONText {
    static func bytes(of value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value)) + "\n".utf8
    }
}
