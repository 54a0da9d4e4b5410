import Foundation
import Groundwork

/// One launch option of an app: its name, its type and its default, declared once.
///
/// ```swift
/// struct OnboardingOptions: LaunchOptions {
///     @LaunchOption var skipOnboarding = false                    // -skipOnboarding
///     @LaunchOption("page-size") var pageSize = 20                // -page-size 50
///     @LaunchOption var apiEndpoint: URL? = nil                   // -apiEndpoint https://staging.example.com
/// }
/// ```
///
/// The name on the command line is the property's, unless another is given. A value is a ``LaunchValue``, a
/// `RawRepresentable` (written as its raw value), any other `Codable` (written as JSON), or an optional of these.
///
/// A `Bool` is a flag: its name alone means `true`; `-name=false`, or `-name NO` as Xcode writes it, means `false`. A flag
/// therefore takes a `yes`, `no`, `true` or `false` that follows it as its value, even if that was meant for another reader,
/// and ``LaunchOptions/arguments()`` writes `-name=true`. Every other option takes the next argument, or what follows `=`.
@propertyWrapper
public struct LaunchOption<Value: Sendable>: Sendable {
    /// Shared by copies until one of them is set, so that arguments can be read through a copy.
    private var storage: Locked<Value>
    private let defaultValue: Value
    let explicitName: String?
    let allowed: String
    /// Reads a value; `nil` if the text is not allowed.
    private let parse: @Sendable (String) -> Value?
    /// Writes a value; `nil` if no argument can represent it.
    private let format: @Sendable (Value) throws -> String?

    /// The value read from the arguments, or the default.
    public var wrappedValue: Value {
        get { storage.withLock { $0 } }
        set { storage = Locked(newValue) }
    }

    private init(
        _ value: Value,
        _ name: String?,
        _ allowed: String,
        parse: @escaping @Sendable (String) -> Value?,
        format: @escaping @Sendable (Value) throws -> String?
    ) {
        storage = Locked(value)
        defaultValue = value
        explicitName = name
        (self.allowed, self.parse, self.format) = (allowed, parse, format)
    }

    /// Declares an option of a type that has a text form of its own.
    public init(wrappedValue: Value, _ name: String? = nil) where Value: LaunchValue {
        self.init(wrappedValue, name, Value.allowedLaunchText, parse: Value.fromLaunchText) { $0.launchText }
    }

    /// Declares an option whose value is written as its raw value.
    public init(wrappedValue: Value, _ name: String? = nil)
    where Value: RawRepresentable, Value.RawValue: LaunchValue {
        self.init(wrappedValue, name, Value.allowedRawText, parse: Value.fromRawText) { $0.rawValue.launchText }
    }

    /// Declares an option whose value is written as its raw value, or not at all.
    public init<Wrapped: RawRepresentable>(wrappedValue: Value, _ name: String? = nil)
    where Value == Wrapped?, Wrapped.RawValue: LaunchValue {
        self.init(wrappedValue, name, Wrapped.allowedRawText, parse: Wrapped.fromRawText) { $0?.rawValue.launchText }
    }

    /// Declares an option whose value is written as JSON.
    @_disfavoredOverload
    public init(wrappedValue: Value, _ name: String? = nil) where Value: Codable {
        self.init(wrappedValue, name, "JSON for \(Value.self)") { text in
            // The caller reports a text that cannot be decoded, together with what is allowed.
            try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } format: { value in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }
    }
}

extension RawRepresentable where RawValue: LaunchValue {
    fileprivate static var allowedRawText: String {
        // A cast at run time, on which only a message depends.
        let cases = (Self.self as? any CaseIterable.Type)?.allCases as? [Self] ?? []
        let texts = cases.compactMap(\.rawValue.launchText)
        return texts.isEmpty ? RawValue.allowedLaunchText : "one of " + texts.joined(separator: ", ")
    }

    fileprivate static func fromRawText(_ text: String) -> Self? {
        RawValue.fromLaunchText(text).flatMap { Self(rawValue: $0) }
    }
}

/// An option with a value of any type, for reading and writing arguments.
protocol DeclaredOption {
    /// The name on the command line, if it is not the property's.
    var explicitName: String? { get }
    var isFlag: Bool { get }
    var allowed: String { get }
    /// Reads a value; returns false if the text is not allowed.
    func read(_ text: String) -> Bool
    /// Returns the value as text, or `nil` if it is the default and need not be written.
    func written() throws -> String?
}

extension LaunchOption: DeclaredOption {
    var isFlag: Bool { Value.self == Bool.self || Value.self == Bool?.self }

    func read(_ text: String) -> Bool {
        guard let value = parse(text) else { return false }
        storage.withLock { $0 = value }
        return true
    }

    func written() throws -> String? {
        let text = try format(wrappedValue)
        // By bytes: to Swift, two encodings of one letter are equal, but the app may distinguish them.
        guard text.map({ Array($0.utf8) }) != (try format(defaultValue)).map({ Array($0.utf8) }) else { return nil }
        guard let text else { throw AutomationError(.options, "nil, while the default is not nil") }
        guard !text.utf8.contains(0) else { throw AutomationError(.options, "a NUL character ends every argument") }
        guard parse(text) != nil else {
            throw AutomationError(.options, "the app would not read \"\(text)\"; allowed is \(allowed)")
        }
        return text
    }
}
