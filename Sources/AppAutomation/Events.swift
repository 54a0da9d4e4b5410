@preconcurrency import Groundwork  // for the C library's `stdout`, which is declared as a variable

/// A point in the app's work that a test can wait for, such as "the list has been refreshed".
///
/// Declared once, in code that the app and its tests share:
///
/// ```swift
/// extension Checkpoint {
///     static let dataRefreshed = Checkpoint("dataRefreshed")
/// }
/// ```
///
/// Two checkpoints are equal if their names have the same bytes. Two ways to write one letter are two names.
public struct Checkpoint: EventName, Codable, Sendable {
    /// The checkpoint's name.
    public let rawValue: String

    /// Makes a checkpoint of this name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a checkpoint of this name.
    public init(_ name: String) {
        rawValue = name
    }
}

/// The identifier of an element on the screen, such as a view's accessibility identifier.
///
/// Declared once, in code that the app and its tests share, and compared by bytes, as a ``Checkpoint`` is.
public struct ElementIdentifier: EventName, Codable, Sendable {
    /// The identifier as text.
    public let rawValue: String

    /// Makes an identifier of this text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes an identifier of this text.
    public init(_ identifier: String) {
        rawValue = identifier
    }
}

/// A name that is compared by its bytes. Swift takes two ways to write one letter for equal.
package protocol EventName: RawRepresentable<String>, Hashable, CustomStringConvertible {}

extension EventName {
    /// The name.
    public var description: String { rawValue }

    /// Compares the names' bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Hashes the name's bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }
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
/// It can be called on any thread. A name of more than 4096 bytes is not posted; a line on standard error says so. In an app
/// that `launchApp` started, all that was printed before is in the test's hands when its wait returns.
///
/// In a build without `DEBUG` it compiles to nothing and its argument is not evaluated, unless `APP_AUTOMATION` is defined:
/// `swift build -c release -Xswiftc -DAPP_AUTOMATION`, or `xcodebuild OTHER_SWIFT_FLAGS='$(inherited) -DAPP_AUTOMATION'`.
/// Both reach packages as well as the app, which is needed because the condition counts in this module.
@inlinable
@inline(__always)
public func postCheckpoint(_ checkpoint: @autoclosure () -> Checkpoint) {
    #if DEBUG || APP_AUTOMATION
        post(checkpoint())
    #endif
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

/// True for a build that has checkpoints and element states.
package var isAutomationCompiledIn: Bool {
    #if DEBUG || APP_AUTOMATION
        true
    #else
        false
    #endif
}

@usableFromInline
func post(_ checkpoint: Checkpoint) {
    post(.checkpoint(checkpoint), named: checkpoint.rawValue)
}

@usableFromInline
func announce(_ identifier: ElementIdentifier, _ state: ElementState) {
    post(.element(identifier, state), named: identifier.rawValue)
}

/// In bytes of UTF-8: far beyond any name that somebody reads, and still sent in one go.
private let longestName = 4096

private func post(_ kind: AutomationEvent.Kind, named name: String) {
    guard name.utf8.count <= longestName else {
        return writeToStandardError(
            "AppAutomation: not posted, because its name is \(name.utf8.count) bytes long and at most \(longestName) are "
                + "allowed: \(String(kind.description.prefix(60)))…"
        )
    }
    EventHub.shared.post(kind)
}

/// Writes what was printed and not yet written: to a pipe, the C library writes only when its buffer is full.
func flushStandardOutput() {
    fflush(stdout)
}
