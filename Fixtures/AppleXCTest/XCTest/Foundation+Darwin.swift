// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What Darwin's Foundation has beyond the one here. See the README: this is a double.

@_exported import Foundation
@_exported import ObjectiveC

public final class NSInvocation: NSObject {
    public var selector: Selector

    init(selector: Selector) { self.selector = selector }
}

public func NSStringFromSelector(_ selector: Selector) -> String { selector.description }

public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }
