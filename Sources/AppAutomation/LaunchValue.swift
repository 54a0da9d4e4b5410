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
        ["true": true, "yes": true, "false": false, "no": false][text.lowercased()]
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
