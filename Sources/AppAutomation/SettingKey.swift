/// One setting of an app: its name, its type and its default, said once.
///
/// ```swift
/// extension SettingKey where Value == Bool {
///     static let onboardingSeen = SettingKey("onboardingSeen", default: false)
/// }
/// ```
public struct SettingKey<Value: Codable & Sendable>: Sendable {
    /// What the setting is called in the store.
    public let name: String
    /// The value that it has until another is stored.
    public let defaultValue: Value

    /// A setting.
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
    }
}

/// A place that an app keeps its settings in.
///
/// An app wraps a store in a type of its own whose methods say what changes: `markOnboardingSeen()`, not a property that
/// somebody sets. Tests hand it an ``InMemorySettings``, the app a ``PersistedSettings``.
public protocol SettingsStore: Sendable {
    /// The value that was stored last, or the default.
    ///
    /// - Throws: ``SettingsError`` if what is stored cannot be read, or is of another type.
    func value<Value>(of key: SettingKey<Value>) throws -> Value

    /// Stores a value.
    ///
    /// - Throws: ``SettingsError`` if it cannot be stored.
    func store<Value>(_ value: Value, as key: SettingKey<Value>) throws

    /// Forgets what was stored, so that the setting has its default again.
    ///
    /// - Throws: ``SettingsError`` if it cannot be forgotten.
    func forget<Value>(_ key: SettingKey<Value>) throws
}

/// A setting, or the file that holds settings, that cannot be read or written.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The setting or the file.
    public let place: String
    /// What is wrong with it.
    public let cause: String

    /// The place and the cause.
    public var description: String { "\(place): \(cause)" }
}
