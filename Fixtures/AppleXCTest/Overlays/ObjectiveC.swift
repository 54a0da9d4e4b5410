@_exported import ObjectiveC

// What Apple's Swift has beyond the headers of ObjectiveC. See Fixtures/AppleXCTest/README.md.

/// The name of a method.
@frozen
public struct Selector: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    var pointer: OpaquePointer

    /// Makes the selector of a name.
    public init(_ name: String) { fatalError() }

    /// Makes the selector of a name.
    public init(stringLiteral name: String) { fatalError() }

    /// The name.
    public var description: String { fatalError() }
}
