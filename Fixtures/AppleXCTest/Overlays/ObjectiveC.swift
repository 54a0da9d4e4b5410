// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import ObjectiveC

// What Apple's Swift has beyond the headers of ObjectiveC. See Fixtures/AppleXCTest/README.md.

@frozen
public struct Selector: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    var pointer: OpaquePointer

    public init(_ name: String) { fatalError() }
    public init(stringLiteral name: String) { fatalError() }

    public var description: String { fatalError() }
}
