import Foundation

/// A value of a launch option, with its form as an argument.
///
/// `Bool`, `Int`, `Double`, `String`, `URL` and optionals of launch values are launch values. An app's own type needs no
/// conformance if it is `RawRepresentable` or `Codable`, see ``LaunchOption``. A conformance gives a type that is not
/// `RawRepresentable` a form of its own; one that is `LosslessStringConvertible` already has it and only says what is allowed.
public protocol LaunchValue: Sendable {
    /// The texts that can be read, for an error's message, such as "a whole number".
    static var allowedLaunchText: String { get }
    /// Reads a value; `nil` if the text is not allowed. No initialiser, because `Int.init` would have one more meaning.
    static func fromLaunchText(_ text: String) -> Self?
    /// The value as an argument; `nil` if it has none, as an optional's `nil`.
    var launchText: String? { get }
}

extension LaunchValue where Self: LosslessStringConvertible {
    /// Reads a value from its description.
    public static func fromLaunchText(_ text: String) -> Self? { Self(text) }

    /// The description.
    public var launchText: String? { description }
}

extension Bool: LaunchValue {
    /// The words of Swift and those of Xcode.
    public static var allowedLaunchText: String { "true, false, YES or NO" }

    /// Reads a word, whatever its case.
    public static func fromLaunchText(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes": true
        case "false", "no": false
        default: nil
        }
    }
}

extension Int: LaunchValue {
    /// Whole numbers.
    public static var allowedLaunchText: String { "a whole number" }
}

extension Double: LaunchValue {
    /// Numbers as Swift writes them.
    public static var allowedLaunchText: String { "a number" }
}

extension String: LaunchValue {
    /// Any text.
    public static var allowedLaunchText: String { "any text" }
}

extension URL: LaunchValue {
    /// URLs with a scheme.
    public static var allowedLaunchText: String { "a URL with a scheme, such as https://example.com" }

    /// Reads a URL that has a scheme. Foundation takes nearly any text for a relative URL, which is a mistake here.
    public static func fromLaunchText(_ text: String) -> URL? {
        URL(string: text).flatMap { $0.scheme == nil ? nil : $0 }
    }

    /// The URL as text.
    public var launchText: String? { absoluteString }
}

extension Optional: LaunchValue where Wrapped: LaunchValue {
    /// The texts of the wrapped type; none stands for `nil`.
    public static var allowedLaunchText: String { Wrapped.allowedLaunchText }

    /// Reads a value of the wrapped type.
    public static func fromLaunchText(_ text: String) -> Self? { Wrapped.fromLaunchText(text).map { $0 } }

    /// The text of the wrapped value.
    public var launchText: String? { flatMap(\.launchText) }
}

/// The way in which the values of one option are written as an argument and read from one.
struct LaunchFormat<Value: Sendable>: Sendable {
    /// The texts that can be read.
    let allowed: String
    /// Reads a value; `nil` if the text is not allowed.
    let read: @Sendable (String) -> Value?
    /// Writes a value; `nil` if no argument stands for it.
    let write: @Sendable (Value) throws -> String?
}

extension LaunchFormat {
    /// The format of a type that has a form of its own.
    static func own() -> LaunchFormat where Value: LaunchValue {
        LaunchFormat(allowed: Value.allowedLaunchText, read: Value.fromLaunchText, write: { $0.launchText })
    }

    /// The format of a type that is written as its raw value.
    static func raw() -> LaunchFormat where Value: RawRepresentable, Value.RawValue: LaunchValue {
        // The one question that is asked at run time; only a message depends on it.
        let cases = (Value.self as? any CaseIterable.Type).map { rawValues(of: $0) } ?? []
        let allowed = cases.isEmpty ? Value.RawValue.allowedLaunchText : "one of " + cases.joined(separator: ", ")
        return LaunchFormat(allowed: allowed) { text in
            guard let rawValue = Value.RawValue.fromLaunchText(text) else { return nil }
            return Value(rawValue: rawValue)
        } write: { value in
            value.rawValue.launchText
        }
    }

    /// The format of a type that is written as JSON.
    static func json() -> LaunchFormat where Value: Codable {
        LaunchFormat(allowed: "JSON for \(Value.self)") { text in
            // The caller reports a text that cannot be decoded, together with what is allowed.
            try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } write: { value in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }
    }

    /// The format of an optional, in which no argument stands for `nil`.
    static func optional<Wrapped>(_ wrapped: LaunchFormat<Wrapped>) -> LaunchFormat where Value == Wrapped? {
        LaunchFormat(allowed: wrapped.allowed, read: wrapped.read) { try $0.flatMap(wrapped.write) }
    }

    private static func rawValues<Cases: CaseIterable>(of type: Cases.Type) -> [String] {
        type.allCases.compactMap { ($0 as? any RawRepresentable).map { "\($0.rawValue)" } }
    }
}
