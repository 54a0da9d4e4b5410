/// The name of a method. See the README: this is a double, not Objective-C.
public struct Selector: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name.
    public let description: String

    /// Makes the selector of a name.
    public init(_ name: String) { description = name }

    /// Makes the selector of a name.
    public init(stringLiteral name: String) { description = name }
}
