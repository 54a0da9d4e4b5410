/// An app that cannot be launched or connected, or whose arguments or settings cannot be read or written.
public struct AutomationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part that an error belongs to.
    public enum Kind: Hashable, Sendable {
        /// Launch options that are declared wrongly, or have a value that no argument can carry.
        case options
        /// Arguments that the app cannot read.
        case arguments
        /// A setting, or the file that holds settings.
        case settings
        /// The launch of an app, or the connection between it and its test.
        case launch
    }

    /// The part that it belongs to.
    public let kind: Kind
    /// A line for each problem: the subject, the cause and, where there is a choice, the values that are allowed.
    public let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
