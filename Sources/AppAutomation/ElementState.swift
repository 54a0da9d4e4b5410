/// The identifier of an element on the screen: a view's accessibility identifier, or whatever an app calls its parts.
///
/// Declared once, in code that the app and its tests share, and compared by bytes, as a ``Checkpoint`` is.
public struct ElementIdentifier: EventName, Codable, Sendable {
    /// The identifier as text.
    public let rawValue: String

    /// The element with this identifier.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The element with this identifier.
    public init(_ identifier: String) {
        rawValue = identifier
    }
}

/// What an app announces about an element.
public enum ElementState: String, Hashable, Codable, Sendable, CaseIterable {
    /// It is there, though perhaps not to be seen.
    case present
    /// It can be seen; so it is present.
    case visible
    /// It can be tapped; so it is visible.
    case tappable
    /// It was there, and is no more.
    case gone

    /// Whether an element in this state is in the other one as well.
    public func implies(_ other: ElementState) -> Bool {
        switch self {
        case .present: other == .present
        case .visible: other == .present || other == .visible
        case .tappable: other != .gone
        case .gone: other == .gone
        }
    }
}

/// Announces the state that an element has come to be in, for tests that wait for it.
///
/// The last state of every element is kept, so that a test need not wait for what is already so. Compiled to nothing under
/// the same conditions as ``postCheckpoint(_:)``, with names as long as there.
@inlinable
@inline(__always)
public func announceElement(
    _ identifier: @autoclosure () -> ElementIdentifier,
    is state: @autoclosure () -> ElementState
) {
    #if DEBUG || APP_AUTOMATION
        announce(identifier(), state())
    #endif
}

@usableFromInline
func announce(_ identifier: ElementIdentifier, _ state: ElementState) {
    EventHub.shared.postOwn(.element(identifier, state), named: identifier.rawValue)
}
