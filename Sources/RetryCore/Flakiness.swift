/// What is said about a section that flakes: whether somebody could fix it, why it flakes, and how often it may be retried.
///
/// ```swift
/// try flaky(.fixable(reason: "the token arrives late")) {
///     XCTAssertTrue(try session.isSignedIn)
/// }
/// ```
///
/// A reason is asked for in either case, so that the next person need not find it out again. It appears in the report.
public struct Flakiness: Hashable, Sendable {
    /// Why the section flakes, in its author's words.
    public let reason: String

    /// How often the test may be run again because of this section.
    public let maxRetryCount: Int

    /// Whether the flake could be fixed by whoever owns the test or the code under test.
    public let isFixable: Bool

    private init(reason: String, maxRetryCount: Int, isFixable: Bool) {
        self.reason = reason
        self.maxRetryCount = maxRetryCount
        self.isFixable = isFixable
    }

    /// A flake that somebody should fix. It is retried once; more would only make it comfortable.
    ///
    /// - Parameter reason: Why the section flakes. An empty reason fails the test.
    public static func fixable(reason: String) -> Flakiness {
        Flakiness(reason: reason, maxRetryCount: 1, isFixable: true)
    }

    /// A flake that is out of your hands: a simulator's bug, a third party's sandbox.
    ///
    /// - Parameters:
    ///   - reason: Why the section flakes. An empty reason fails the test.
    ///   - maxRetryCount: How often the test may be run again. 0 retries nothing and keeps the reason in place; a
    ///     negative count fails the test.
    public static func notFixable(reason: String, maxRetryCount: Int = 1) -> Flakiness {
        Flakiness(reason: reason, maxRetryCount: maxRetryCount, isFixable: false)
    }
}

extension Flakiness {
    /// What is wrong with this mark, for the person who wrote it; `nil` if nothing is.
    package var mistake: String? {
        // Asked at every section, so the usual reason is seen to be one by its first byte.
        let startsLikeText = (0x21..<0x7F).contains(reason.utf8.first ?? 0)
        if !startsLikeText, reason.allSatisfy(\.isWhitespace) {
            return "flaky: the reason is empty; say why this section flakes"
        }
        if maxRetryCount < 0 {
            return "flaky: maxRetryCount is \(maxRetryCount); allowed is 0 or more"
        }
        return nil
    }

    /// `fixable` or `not fixable`.
    package var kind: String { isFixable ? "fixable" : "not fixable" }
}
