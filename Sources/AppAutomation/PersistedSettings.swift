import Foundation
import Groundwork

/// Settings that outlive the process, in a file that belongs to one build of the app and to one run.
///
/// Two builds of one app (development, internal, App Store) never see each other's values, and neither do two tests in
/// parallel, because a test gives every app that it launches a directory of its own. Processes of the same build and run
/// share the file and lose none of each other's changes.
public final class PersistedSettings: SettingsStore {
    /// Where the settings are.
    public let file: URL
    private let lock: FileLock

    /// Opens the settings of a build, in the directory that the test gave this run or else in the user's own.
    ///
    /// ```swift
    /// let settings = try PersistedSettings(build: Bundle.main.bundleIdentifier ?? "app", context: context)
    /// ```
    ///
    /// - Throws: ``SettingsError`` if the settings cannot be read or the directory cannot be made.
    public convenience init<Options>(build: String, context: AutomationContext<Options>) throws {
        let usersOwn = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        guard let directory = context.stateDirectory ?? usersOwn else {
            throw SettingsError(place: "the directory for settings", cause: "is not known: this user has none")
        }
        try self.init(build: build, in: directory)
    }

    /// Opens the settings of a build and a run in a directory.
    ///
    /// - Parameters:
    ///   - build: What tells this build from others, such as its bundle identifier.
    ///   - run: What tells this run from others; `nil` for the one that a user starts.
    ///   - directory: Where the settings of all builds and runs are.
    /// - Throws: ``SettingsError`` if the settings cannot be read or the directory cannot be made.
    public init(build: String, run: String? = nil, in directory: URL) throws {
        let parent = directory.appendingPathComponent(Self.component("build", build), isDirectory: true)
        let name = run.map { Self.component("run", $0) } ?? "settings"
        file = parent.appendingPathComponent(name + ".json")
        do {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        } catch {
            throw SettingsError(place: parent.path, cause: "cannot be made: \(error.localizedDescription)")
        }
        lock = FileLock(path: parent.appendingPathComponent(name + ".lock").path)
        _ = try read()
    }

    /// The value that was stored last, by whichever process of this build and run, or the default.
    public func value<Value>(of key: SettingKey<Value>) throws -> Value {
        try read().value(of: key)
    }

    /// Stores a value; it is in the file when this returns.
    public func store<Value>(_ value: Value, as key: SettingKey<Value>) throws {
        try change { try $0.store(value, as: key) }
    }

    /// Forgets what was stored.
    public func forget<Value>(_ key: SettingKey<Value>) throws {
        try change { $0.forget(key) }
    }

    private func change(_ change: (inout SettingsValues) throws -> Void) throws {
        do {
            try lock.withLock { problem in
                if let problem { throw SettingsError(place: lock.path, cause: "cannot be locked: \(problem)") }
                var settings = try read()
                try change(&settings)
                try write(settings)
            }
        } catch let error as SystemError {
            throw SettingsError(place: lock.path, cause: "cannot be opened: \(error)")
        }
    }

    /// Writes beside the file and renames, so that a reader, or a crash, finds the old or the new.
    private func write(_ settings: SettingsValues) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            try encoder.encode(settings).write(to: file, options: .atomic)
        } catch {
            throw SettingsError(place: file.path, cause: "cannot be written: \(error.localizedDescription)")
        }
    }

    /// What the file holds now. It is read each time, for another process may have changed it.
    private func read() throws -> SettingsValues {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch CocoaError.fileReadNoSuchFile {
            return SettingsValues()
        } catch {
            throw SettingsError(place: file.path, cause: "cannot be read: \(error.localizedDescription)")
        }
        do {
            return try JSONDecoder().decode(SettingsValues.self, from: data)
        } catch {
            throw SettingsError(place: file.path, cause: "does not hold settings: a JSON object of texts is expected")
        }
    }

    /// A name of any letters as a path component of its own: no two names share one, not even where case does not count.
    private static func component(_ kind: String, _ name: String) -> String {
        let kept = Set("abcdefghijklmnopqrstuvwxyz0123456789.-".utf8)
        return "\(kind)-" + name.utf8.percentEncoded(except: kept.contains)
    }
}
