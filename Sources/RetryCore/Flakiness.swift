import Foundation

/// A mark: the reason why a section flakes, and the number of retries that it may cause.
///
/// ```swift
/// try flaky(.fixable(reason: "the token arrives late")) {
///     XCTAssertTrue(try session.isSignedIn)
/// }
/// ```
///
/// The reason is mandatory, so that the next person need not find it out again. It appears in the report.
public struct Flakiness: Hashable, Sendable {
    /// The reason for the flake, in its author's words.
    public let reason: String

    /// The highest number of retries of the test because of this section.
    public let maxRetryCount: Int

    /// The owner of the test or of the code under test could fix the flake.
    public let isFixable: Bool

    /// The text that a failure's message has to contain to be retried; `nil` if any will do.
    public let matching: String?

    package init(reason: String, maxRetryCount: Int, isFixable: Bool, matching: String?) {
        self.reason = reason
        self.maxRetryCount = maxRetryCount
        self.isFixable = isFixable
        self.matching = matching
    }

    /// A flake that somebody should fix. It is retried once: more retries would remove the reason to fix it.
    ///
    /// ```swift
    /// try flaky(.fixable(reason: "the token arrives late", matching: "timed out")) {
    ///     XCTAssertTrue(try session.isSignedIn)  // fails at once, unless its message says "timed out"
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - reason: The cause of the flake. An empty reason fails the test.
    ///   - matching: The text that a failure's message has to contain to be retried; any other fails the test. Upper and
    ///     lower case are told apart. An empty text fails the test; without one, whatever fails in the section is retried.
    public static func fixable(reason: String, matching: String? = nil) -> Flakiness {
        Flakiness(reason: reason, maxRetryCount: 1, isFixable: true, matching: matching)
    }

    /// A flake that is out of your hands: a simulator's bug, a third party's sandbox.
    ///
    /// - Parameters:
    ///   - reason: The cause of the flake. An empty reason fails the test.
    ///   - maxRetryCount: The highest number of retries. 0 retries nothing and keeps the reason in place; a
    ///     negative count fails the test.
    ///   - matching: The text that a failure's message has to contain to be retried; see ``fixable(reason:matching:)``.
    public static func notFixable(reason: String, maxRetryCount: Int = 1, matching: String? = nil) -> Flakiness {
        Flakiness(reason: reason, maxRetryCount: maxRetryCount, isFixable: false, matching: matching)
    }
}

/// The namespace of ``Flakiness`` in version 0.6.0.
public enum Reliability {
    /// A mark, by its old name.
    @available(*, deprecated, message: "leave out Reliability")
    public typealias Flakiness = RetryCore.Flakiness
}

extension Flakiness {
    /// The mistake in this mark, for the person who wrote it; `nil` if there is none.
    package var mistake: String? {
        // Checked at every section, so a reason that begins with a printable ASCII character is accepted by its first byte.
        let startsLikeText = (0x21..<0x7F).contains(reason.utf8.first ?? 0)
        if !startsLikeText, reason.allSatisfy(\.isWhitespace) {
            return "flaky: the reason is empty; say why this section flakes"
        }
        if maxRetryCount < 0 {
            return "flaky: maxRetryCount is \(maxRetryCount); allowed is 0 or more"
        }
        if matching?.isEmpty == true {
            return "flaky: matching is empty, which every message contains; say what a failure's message contains"
        }
        return nil
    }

    /// The number of retries that this mark allows for a failure with this message.
    func retries(ofFailureSaying message: String) -> Int {
        matching.map(message.contains) ?? true ? maxRetryCount : 0
    }

    /// The reason, and whether it can be fixed.
    package var words: String { "reason: \(reason) (\(isFixable ? "fixable" : "not fixable"))" }
}
