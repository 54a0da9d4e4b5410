import Foundation

/// Settings as they are stored, in memory or in a file: the JSON of each, by name.
///
/// The store in memory codes values as well, so that a value that cannot be coded fails in a unit test already.
struct StoredSettings: Codable, Equatable, Sendable {
    /// Names and values as bytes, because Swift considers some texts equal that differ in their bytes.
    private var values: [Data: Data] = [:]

    func value<Value>(of key: SettingKey<Value>) throws -> Value {
        guard let stored = values[Data(key.name.utf8)] else { return key.defaultValue }
        do {
            return try JSONDecoder().decode(Value.self, from: stored)
        } catch {
            let text = String(decoding: stored, as: UTF8.self)
            throw SettingsError("setting \"\(key.name)\"", "\(text) is stored, which is no \(Value.self)")
        }
    }

    mutating func store<Value>(_ value: Value, as key: SettingKey<Value>) throws {
        do {
            values[Data(key.name.utf8)] = try JSONEncoder().encode(value)
        } catch {
            throw SettingsError("setting \"\(key.name)\"", "\(value) cannot be stored: \(error)")
        }
    }

    mutating func forget(_ name: String) {
        values[Data(name.utf8)] = nil
    }

    init() {}
}

/// In a file: a JSON object whose values are texts. In its names, whatever is not ASCII is percent-encoded, because readers
/// of JSON, too, may take two names that Swift considers equal for one.
extension StoredSettings {
    init(from decoder: any Decoder) throws {
        for (name, value) in try decoder.singleValueContainer().decode([String: String].self) {
            values[Data((name.removingPercentEncoding ?? name).utf8)] = Data(value.utf8)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var texts: [String: String] = [:]
        for (name, value) in values {
            let name = name.percentEncoded { $0 < 0x80 && $0 != UInt8(ascii: "%") }
            texts[name] = String(decoding: value, as: UTF8.self)
        }
        var container = encoder.singleValueContainer()
        try container.encode(texts)
    }
}

extension Sequence<UInt8> {
    /// These bytes as text, in which each that is not kept is a percent sign and two hexadecimal digits.
    func percentEncoded(except isKept: (UInt8) -> Bool) -> String {
        var text = ""
        for byte in self {
            if isKept(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
        return text
    }
}
