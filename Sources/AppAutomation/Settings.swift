import Foundation
import Groundwork

/// One setting of an app: its name, its type and its default, declared once.
///
/// ```swift
/// extension SettingKey where Value == Bool {
///     static let onboardingSeen = SettingKey("onboardingSeen", default: false)
/// }
/// ```
public struct SettingKey<Value: Codable & Sendable>: Sendable {
    /// The setting's name in the store.
    public let name: String
    /// The value that it has until another is stored.
    public let defaultValue: Value

    /// Declares a setting.
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
    }
}

/// A place where an app keeps its settings.
///
/// An app wraps a store in a type of its own, whose methods name the change: `markOnboardingSeen()`, not a property that
/// anybody can set. Tests give it an ``InMemorySettings``, the app a ``PersistedSettings``. A value that cannot be read, has
/// another type or cannot be stored throws an ``AutomationError``.
public protocol SettingsStore: Sendable {
    /// Returns the value that was stored last, or the default.
    func value<Value>(of key: SettingKey<Value>) throws -> Value

    /// Stores a value.
    func store<Value>(_ value: Value, as key: SettingKey<Value>) throws

    /// Forgets what was stored, so that the setting has its default again.
    func forget<Value>(_ key: SettingKey<Value>) throws
}

/// Settings in memory, for tests: each store starts empty and is gone when it is released.
public final class InMemorySettings: SettingsStore, CodedSettings {
    private let stored = Locked<[String: String]>([:])

    /// Makes an empty store.
    public init() {}

    func read() -> [String: String] { stored.withLock { $0 } }

    func change(_ change: (inout [String: String]) -> Void) { stored.withLock(change) }
}

/// Settings that outlive the process, in a file for each build of the app.
///
/// Two builds of one app (development, internal, App Store) never see each other's values, and neither do two tests in
/// parallel, because a test gives every app that it launches a directory of its own. Processes of the same build
/// share the file and lose none of each other's changes.
public final class PersistedSettings: SettingsStore, CodedSettings {
    /// The file that holds the settings.
    public let file: URL
    private let lock: String

    /// Opens the settings of a build, in the directory that the test gave this run or in the user's own.
    ///
    /// ```swift
    /// let settings = try PersistedSettings(build: Bundle.main.bundleIdentifier ?? "app", context: context)
    /// ```
    public convenience init<Options>(build: String, context: AutomationContext<Options>) throws {
        let usersOwn = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        guard let directory = context.stateDirectory ?? usersOwn else {
            throw AutomationError(.settings, "the directory for settings: not found: this user has none")
        }
        try self.init(build: build, in: directory)
    }

    /// Opens the settings of a build in a directory, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - build: The build's name, such as its bundle identifier.
    ///   - directory: The directory that holds the settings of all builds.
    public init(build: String, in directory: URL) throws {
        // Encodes any name as a path component of its own, even on a file system that ignores case.
        let kept = Set("abcdefghijklmnopqrstuvwxyz0123456789.-".utf8)
        let name = build.utf8.map { kept.contains($0) ? String(Unicode.Scalar($0)) : String(format: "%%%02x", $0) }
        let parent = directory.appendingPathComponent("build-" + name.joined(), isDirectory: true)
        file = parent.appendingPathComponent("settings.json")
        do {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        } catch {
            throw AutomationError(.settings, "\(parent.path): cannot be made: \(error.localizedDescription)")
        }
        lock = parent.appendingPathComponent("settings.lock").path
        _ = try read()
    }

    /// Reads the file every time, because another process may have changed it.
    func read() throws -> [String: String] {
        do {
            return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile {
            return [:]
        } catch is DecodingError {
            throw AutomationError(.settings, "\(file.path): does not hold settings (a JSON object of strings)")
        } catch {
            throw AutomationError(.settings, "\(file.path): cannot be read: \(error.localizedDescription)")
        }
    }

    /// Replaces the whole file at once, so that neither a reader nor a crash finds it half written.
    func change(_ change: (inout [String: String]) -> Void) throws {
        do {
            try withFileLock(at: lock) { problem in
                if let problem { throw problem }
                var settings = try read()
                change(&settings)
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
                try encoder.encode(settings).write(to: file, options: .atomic)
            }
        } catch let error as SystemError {
            throw AutomationError(.settings, "\(lock): cannot be locked: \(error)")
        } catch let error as CocoaError {
            throw AutomationError(.settings, "\(file.path): cannot be written: \(error.localizedDescription)")
        }
    }
}

/// A store that holds each setting as JSON text.
///
/// The store in memory encodes values as well, so that a value that cannot be encoded already fails in a unit test.
protocol CodedSettings: SettingsStore {
    func read() throws -> [String: String]
    func change(_ change: (inout [String: String]) -> Void) throws
}

extension CodedSettings {
    /// Returns the value that was stored last, or the default.
    public func value<Value>(of key: SettingKey<Value>) throws -> Value {
        guard let stored = try read()[key.name] else { return key.defaultValue }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(stored.utf8))
        } catch {
            throw AutomationError(.settings, "setting \"\(key.name)\": the value \(stored) is no \(Value.self)")
        }
    }

    /// Stores a value.
    public func store<Value>(_ value: Value, as key: SettingKey<Value>) throws {
        let text: String
        do {
            text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        } catch {
            throw AutomationError(.settings, "setting \"\(key.name)\": \(value) cannot be stored: \(error)")
        }
        try change { $0[key.name] = text }
    }

    /// Forgets what was stored.
    public func forget<Value>(_ key: SettingKey<Value>) throws {
        try change { $0[key.name] = nil }
    }
}
