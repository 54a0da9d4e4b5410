import Foundation

/// Settings as they are stored, in memory or in a file: the JSON of each, by name.
///
/// The store in memory codes values as well, so that a value that cannot be coded fails in a unit test already.
struct StoredSettings: Codable, Equatable, Sendable {
    private var values: [String: String] = [:]

    func value<Value>(of key: SettingKey<Value>) throws -> Value {
        guard let text = values[key.name] else { return key.defaultValue }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw SettingsError("setting \"\(key.name)\"", "\(text) is stored, which is no \(Value.self)")
        }
    }

    mutating func store<Value>(_ value: Value, as key: SettingKey<Value>) throws {
        do {
            values[key.name] = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        } catch {
            throw SettingsError("setting \"\(key.name)\"", "\(value) cannot be stored: \(error)")
        }
    }

    mutating func forget(_ name: String) {
        values[name] = nil
    }

    init() {}

    init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: String].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}
