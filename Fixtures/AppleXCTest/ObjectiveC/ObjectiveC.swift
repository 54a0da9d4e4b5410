// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What Objective-C's runtime knows of methods. See the README: this is a double, not Objective-C.

public struct Selector: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    public let description: String

    public init(_ name: String) { description = name }

    public init(stringLiteral name: String) { description = name }
}

public typealias IMP = OpaquePointer
public typealias Method = OpaquePointer

public func class_getInstanceMethod(_ cls: AnyClass?, _ name: Selector) -> Method? {
    cls.flatMap { MethodTable.body(of: name, in: $0) }.map { OpaquePointer(Unmanaged.passUnretained($0).toOpaque()) }
}

public func method_getImplementation(_ m: Method) -> IMP { m }

public func method_getTypeEncoding(_ m: Method) -> UnsafePointer<CChar>? { nil }

public func class_addMethod(_ cls: AnyClass?, _ name: Selector, _ imp: IMP, _ types: UnsafePointer<CChar>?) -> Bool {
    guard let cls, MethodTable.body(of: name, in: cls) == nil else { return false }
    MethodTable.add(Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(imp)).takeUnretainedValue(), named: name, to: cls)
    return true
}

/// The methods of all classes.
package enum MethodTable {
    // Touched on the main thread alone.
    nonisolated(unsafe) private static var bodies: [ObjectIdentifier: [Selector: AnyObject]] = [:]

    package static func body(of name: Selector, in cls: AnyClass) -> AnyObject? { bodies[ObjectIdentifier(cls)]?[name] }

    package static func add(_ body: AnyObject, named name: Selector, to cls: AnyClass) {
        bodies[ObjectIdentifier(cls), default: [:]][name] = body
    }
}
