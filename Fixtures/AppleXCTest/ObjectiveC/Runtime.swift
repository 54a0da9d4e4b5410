// What Objective-C's runtime knows of methods. See the README: this is a double, not Objective-C.

/// What a method does.
public typealias IMP = OpaquePointer
/// A method.
public typealias Method = OpaquePointer

/// The method of a name, if the class has it.
public func class_getInstanceMethod(_ cls: AnyClass?, _ name: Selector) -> Method? {
    cls.flatMap { MethodTable.body(of: name, in: $0) }.map { OpaquePointer(Unmanaged.passUnretained($0).toOpaque()) }
}

/// What a method does.
public func method_getImplementation(_ m: Method) -> IMP { m }

/// What a method takes and returns. Nobody reads it here.
public func method_getTypeEncoding(_ m: Method) -> UnsafePointer<CChar>? { nil }

/// Adds a method to a class.
///
/// - Returns: Whether the class had none of that name.
public func class_addMethod(_ cls: AnyClass?, _ name: Selector, _ imp: IMP, _ types: UnsafePointer<CChar>?) -> Bool {
    guard let cls, MethodTable.body(of: name, in: cls) == nil else { return false }
    MethodTable.add(Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(imp)).takeUnretainedValue(), named: name, to: cls)
    return true
}

/// The methods of all classes: those that a class says itself that it has, and those that were added.
package enum MethodTable {
    /// What a class says itself. It returns the same object each time, and holds on to it.
    nonisolated(unsafe) package static var declared: (Selector, AnyClass) -> AnyObject? = { _, _ in nil }
    // Touched on the main thread alone.
    nonisolated(unsafe) private static var added: [ObjectIdentifier: [Selector: AnyObject]] = [:]

    package static func body(of name: Selector, in cls: AnyClass) -> AnyObject? {
        added[ObjectIdentifier(cls)]?[name] ?? declared(name, cls)
    }

    fileprivate static func add(_ body: AnyObject, named name: Selector, to cls: AnyClass) {
        added[ObjectIdentifier(cls), default: [:]][name] = body
    }
}
