@_exported import Foundation
@_exported import ObjectiveC

// What Darwin's Foundation has beyond the one here. See the README: this is a double.

/// A call to be made of a method.
public final class NSInvocation: NSObject {
    /// The method.
    public var selector: Selector

    init(selector: Selector) { self.selector = selector }
}

/// The name of a selector.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.description }

/// The selector of a name.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }
