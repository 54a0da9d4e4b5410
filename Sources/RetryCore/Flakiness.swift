import Foundation

/// What is said about a section that flakes: whether somebody could fix it, why it flakes, and how often it may be retried.
///
/// ```swift
/// try flaky(.fixable(reason: "the token arrives late")) {
///     XCTAssertTrue(try session.isSignedIn)
/// }
/// ```
///
/// The reason is mandatory, so that the next person need not find it out again. It appears in the report.
public struct Flakiness: Hashable, Sendable {
    /// Why the section flakes, in its author's words.
    public let reason: String

    /// How often the test may be run again because of this section.
    public let maxRetryCount: Int

    /// Whether the flake could be fixed by whoever owns the test or the code under test.
    public let isFixable: Bool

    /// What a failure's message has to contain to be retried; `nil` if whatever fails in the section is.
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
    ///   - reason: Why the section flakes. An empty reason fails the test.
    ///   - matching: What the message of a failure contains, if it is to be retried; any other fails the test. Upper and
    ///     lower case are told apart. An empty text fails the test; without one, whatever fails in the section is retried.
    public static func fixable(reason: String, matching: String? = nil) -> Flakiness {
        Flakiness(reason: reason, maxRetryCount: 1, isFixable: true, matching: matching)
    }

    /// A flake that is out of your hands: a simulator's bug, a third party's sandbox.
    ///
    /// - Parameters:
    ///   - reason: Why the section flakes. An empty reason fails the test.
    ///   - maxRetryCount: How often the test may be run again. 0 retries nothing and keeps the reason in place; a
    ///     negative count fails the test.
    ///   - matching: What the message of a failure contains, if it is to be retried; see ``fixable(reason:matching:)``.
    public static func notFixable(reason: String, maxRetryCount: Int = 1, matching: String? = nil) -> Flakiness {
        Flakiness(reason: reason, maxRetryCount: maxRetryCount, isFixable: false, matching: matching)
    }
}

extension Flakiness {
    /// What is wrong with this mark, for the person who wrote it; `nil` if nothing is.
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

    /// How often a failure with this message may be retried because of this mark.
    func retries(ofFailureSaying message: String) -> Int {
        matching.map(message.contains) ?? true ? maxRetryCount : 0
    }

    /// The reason, and whether it can be fixed.
    package var words: String { "reason: \(reason) (\(isFixable ? "fixable" : "not fixable"))" }
}
