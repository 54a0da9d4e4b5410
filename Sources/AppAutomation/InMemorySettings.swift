import Groundwork

/// Settings in memory, for tests: each store starts empty and ends with its owner.
public final class InMemorySettings: SettingsStore {
    private let settings = Locked(SettingsValues())

    /// An empty store.
    public init() {}

    /// The value that was stored last, or the default.
    public func value<Value>(of key: SettingKey<Value>) throws -> Value {
        try settings.withLock { try $0.value(of: key) }
    }

    /// Stores a value.
    public func store<Value>(_ value: Value, as key: SettingKey<Value>) throws {
        try settings.withLock { try $0.store(value, as: key) }
    }

    /// Forgets what was stored.
    public func forget<Value>(_ key: SettingKey<Value>) throws {
        settings.withLock { $0.forget(key) }
    }
}
