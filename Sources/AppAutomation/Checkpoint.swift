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

    /// A checkpoint of this name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A checkpoint of this name.
    public init(_ name: String) {
        rawValue = name
    }
}

/// Tells a test that waits for it that the app has come to this point; does nothing if none waits.
///
/// Can be called on any thread. A name of more than 4096 bytes is not posted; a line on standard error says so.
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

/// Whether this build has checkpoints and element states.
package var isAutomationCompiledIn: Bool {
    #if DEBUG || APP_AUTOMATION
        true
    #else
        false
    #endif
}

@usableFromInline
func post(_ checkpoint: Checkpoint) {
    EventHub.shared.postOwn(.checkpoint(checkpoint), named: checkpoint.rawValue)
}
