import Foundation

/// Settings as they are stored, in memory or in a file: a JSON object whose values are texts, the JSON of each setting.
///
/// The store in memory codes values as well, so that a value that cannot be coded fails in a unit test already.
struct SettingsValues: Codable, Sendable {
    /// In names, whatever is not ASCII is percent-encoded, because Swift and readers of JSON may take two names that differ
    /// in their bytes for one.
    private var values: [String: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        values = try [String: String](from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try values.encode(to: encoder)
    }

    func value<Value>(of key: SettingKey<Value>) throws -> Value {
        guard let stored = values[Self.name(of: key)] else { return key.defaultValue }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(stored.utf8))
        } catch {
            let cause = "\(stored) is stored, which is no \(Value.self)"
            throw SettingsError(place: "setting \"\(key.name)\"", cause: cause)
        }
    }

    mutating func store<Value>(_ value: Value, as key: SettingKey<Value>) throws {
        do {
            values[Self.name(of: key)] = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        } catch {
            throw SettingsError(place: "setting \"\(key.name)\"", cause: "\(value) cannot be stored: \(error)")
        }
    }

    mutating func forget<Value>(_ key: SettingKey<Value>) {
        values[Self.name(of: key)] = nil
    }

    private static func name<Value>(of key: SettingKey<Value>) -> String {
        key.name.utf8.percentEncoded { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    }
}

extension Sequence<UInt8> {
    /// These bytes as text, in which each that is not kept is a percent sign and two hexadecimal digits.
    func percentEncoded(except isKept: (UInt8) -> Bool) -> String {
        map { isKept($0) ? String(Unicode.Scalar($0)) : String(format: "%%%02x", $0) }.joined()
    }
}
