/// A point in the app's work that a test can wait for, such as "the list has been refreshed".
///
/// Declared once, in code that the app and its tests share:
///
/// ```swift
/// extension Checkpoint {
///     static let dataRefreshed = Checkpoint("dataRefreshed")
/// }
/// ```
public struct Checkpoint: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The checkpoint's name.
    public let rawValue: String

    /// The checkpoint's name.
    public var description: String { rawValue }

    /// Makes a checkpoint of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a checkpoint of this name.
    public init(_ name: String) { rawValue = name }
}

/// The identifier of an element on the screen, such as a view's accessibility identifier.
///
/// Declared once, in code that the app and its tests share, as a ``Checkpoint`` is.
public struct ElementIdentifier: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The identifier as text.
    public let rawValue: String

    /// The identifier as text.
    public var description: String { rawValue }

    /// Makes an identifier of this text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes an identifier of this text.
    public init(_ identifier: String) { rawValue = identifier }
}

/// A state of an element that an app announces.
public enum ElementState: String, Hashable, Codable, Sendable, CaseIterable {
    /// It is there, though perhaps not to be seen.
    case present
    /// It can be seen; so it is present.
    case visible
    /// It can be tapped; so it is visible.
    case tappable
    /// It was there, and is no more.
    case gone

    /// Returns true if an element in this state is in the other one as well.
    public func implies(_ other: ElementState) -> Bool {
        switch self {
        case .present: other == .present
        case .visible: other == .present || other == .visible
        case .tappable: other != .gone
        case .gone: other == .gone
        }
    }
}

/// Posts a checkpoint to the tests that wait for it; has no effect if none does.
///
/// It can be called on any thread. If `launchApp` started the app, the test has all output printed before the checkpoint once
/// its wait returns.
///
/// In a build without `DEBUG` it compiles to nothing and its argument is not evaluated, unless `APP_AUTOMATION` is defined:
/// `swift build -c release -Xswiftc -DAPP_AUTOMATION`, or `xcodebuild OTHER_SWIFT_FLAGS='$(inherited) -DAPP_AUTOMATION'`.
/// Both reach packages as well as the app, which is needed because the condition is tested in this module.
@inlinable
@inline(__always)
public func postCheckpoint(_ checkpoint: @autoclosure () -> Checkpoint) {
    #if DEBUG || APP_AUTOMATION
        post(checkpoint())
    #endif
}

/// Announces an element's new state to the tests that wait for it.
///
/// The last state of every element is kept, so that a wait for it returns at once. Compiled to nothing under the same
/// conditions as ``postCheckpoint(_:)``.
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
func post(_ checkpoint: Checkpoint) {
    EventHub.shared.post(.checkpoint(checkpoint))
}

@usableFromInline
func announce(_ identifier: ElementIdentifier, _ state: ElementState) {
    EventHub.shared.post(.element(identifier, state))
}
