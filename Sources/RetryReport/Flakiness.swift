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
    public package(set) var reason: String

    /// The highest number of retries of the test because of this section.
    public package(set) var maxRetryCount: Int

    /// The owner of the test or of the code under test could fix the flake.
    public package(set) var isFixable: Bool

    /// The text that a failure's message has to contain to be retried; `nil` if any will do.
    public package(set) var matching: String?

    /// The day until when somebody wants to have fixed the flake, such as `2027-01-31`; `nil` if nobody has said one.
    public package(set) var until: String?

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
    ///   - until: The day until when somebody wants to have fixed it, such as `2027-01-31`. From the next day on,
    ///     `retries check --overdue` fails; the test works as before. A text that is no date fails the test.
    public static func fixable(reason: String, matching: String? = nil, until: String? = nil) -> Flakiness {
        Flakiness(reason: reason, maxRetryCount: 1, isFixable: true, matching: matching, until: until)
    }

    /// A flake that is out of your hands: a simulator's bug, a third party's sandbox.
    ///
    /// - Parameters:
    ///   - reason: The cause of the flake. An empty reason fails the test.
    ///   - maxRetryCount: The highest number of retries. 0 retries nothing and keeps the reason in place; a
    ///     negative count fails the test.
    ///   - matching: The text that a failure's message has to contain to be retried; see ``fixable(reason:matching:until:)``.
    ///   - until: The day until when somebody wants to look at it again; see ``fixable(reason:matching:until:)``.
    public static func notFixable(
        reason: String,
        maxRetryCount: Int = 1,
        matching: String? = nil,
        until: String? = nil
    ) -> Flakiness {
        Flakiness(reason: reason, maxRetryCount: maxRetryCount, isFixable: false, matching: matching, until: until)
    }

    /// The mark's kind, as people read it.
    package var kind: String { isFixable ? "fixable" : "not fixable" }

    /// The reason, and whether it can be fixed.
    package var words: String { "reason: \(reason) (\(kind))" }
}

// MARK: - In a record

extension Flakiness {
    /// The keys of a mark, which stand among those of the record that it is in.
    enum CodingKeys: CodingKey {
        case reason, fixable, matching, until
        /// The retries, as the record of a test spells them.
        case maxRetriesAllowed
        /// The retries, as a count of marks spells them.
        case maxRetryCount
    }

    init(among keys: any Decoder, retriesAt key: CodingKeys) throws {
        let values = try keys.container(keyedBy: CodingKeys.self)
        self.init(
            reason: try values.decode(String.self, forKey: .reason),
            maxRetryCount: try values.count(key),
            isFixable: try values.decode(Bool.self, forKey: .fixable),
            matching: try values.optional(.matching),
            until: try values.optional(.until)
        )
    }

    func encode(among keys: any Encoder, retriesAt key: CodingKeys) throws {
        try keys.encode([
            CodingKeys.reason: reason, key: maxRetryCount, .fixable: isFixable, .matching: matching, .until: until,
        ])
    }
}
