import Groundwork
@_exported import RetryCore
import Testing

/// Marks the part of a test that flakes.
///
/// A failure inside `section` does not fail the test if it has retries left: it shows as a known issue with its reason,
/// the test is run again at once, and the report names it. Everything outside fails as it always did.
///
/// ```swift
/// @Suite(.retryable) struct Login {
///     @Test func signsIn() throws {
///         try flaky(.fixable(reason: "the token arrives late")) {
///             try #expect(session.isSignedIn)
///         }
///         #expect(session.user == "ada")  // never retried
///     }
/// }
/// ```
///
/// A section that cannot throw needs no `try`. Write `try` and `await` before `#expect`, not in it: Swift does not look
/// into a macro's arguments when it finds out whether a closure throws.
///
/// In a test that is not `.retryable` it has no effect, and a line on standard error says so.
///
/// - Returns: The value of `section`.
/// - Throws: The very error that `section` throws.
public func flaky<R>(
    _ mark: Flakiness,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ section: () throws -> R
) rethrows -> R {
    guard let open = open(mark, at: sourceLocation) else { return try section() }
    return try open.runAsKnownIssue(section, rescue: { throw $0 })
}

/// Marks one expression that flakes.
///
/// ```swift
/// flaky(.fixable(reason: "there is a race here"), #expect(isReady))
/// let user = try flaky(.fixable(reason: "there is a race here"), try #require(session.user))
/// ```
@_disfavoredOverload
public func flaky<R>(
    _ mark: Flakiness,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ section: @autoclosure () throws -> R
) rethrows -> R {
    guard let open = open(mark, at: sourceLocation) else { return try section() }
    return try open.runAsKnownIssue(section, rescue: { throw $0 })
}

/// Marks the part of a test that flakes and suspends. It runs on the caller's actor.
@_disfavoredOverload
public func flaky<R>(
    _ mark: Flakiness,
    sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation,
    _ section: () async throws -> R
) async rethrows -> R {
    guard let open = open(mark, at: sourceLocation) else { return try await section() }
    return try await open.runAsKnownIssue(isolation: isolation, section, rescue: { throw $0 })
}

extension Test {
    /// The number of attempts of the running test case before the current one: 0 on the first.
    ///
    /// ```swift
    /// @Test func uploads() throws {
    ///     let folder = try Folder(named: "upload-\(Test.retryCount)")  // the last attempt's leftovers are not in the way
    /// }
    /// ```
    ///
    /// It is known in the tasks of a test that is marked `.retryable`. A detached task or a thread of your
    /// own belongs to no test and reads 0, so read it before you start one.
    public static var retryCount: Int { Attempt.current?.retryCount ?? 0 }
}

/// Opens a section of the task's attempt.
///
/// If the test has not opted in, it belongs to an attempt that has ended, and suppresses nothing.
///
/// - Returns: `nil` if the mark is bad: then the test fails here and now, and the section runs as if it were not marked.
private func open(_ mark: Flakiness, at sourceLocation: SourceLocation) -> OpenSection? {
    let site = CallSite.testing(sourceLocation.path, sourceLocation.line)
    guard let attempt = Attempt.current else {
        OptingIn.advise(on: sourceLocation, at: site.place)
        let ended = Attempt(retryCount: 0)
        _ = ended.end()
        return ended.open(mark, at: site)
    }
    guard let mistake = mark.mistake else { return attempt.open(mark, at: site) }
    // Outside of all sections, so that none around this one suppresses it.
    OpenSection.$innermost.withValue(nil) {
        _ = Issue.record(Comment(rawValue: mistake), sourceLocation: sourceLocation)
    }
    return nil
}

/// The advice where `flaky` has no effect.
enum OptingIn {
    private static let advised = Locked<Set<SourceLocation>>([])

    /// Logs, once for each section, that it has no effect, and the cause.
    static func advise(on section: SourceLocation, at place: Place) {
        guard advised.withLock({ $0.insert(section).inserted }) else { return }
        log("flaky at \(shown(place)) has no effect: \(cause)")
    }

    /// Logs that a failure is not retried, and the cause.
    static func advise(on issue: Issue, inSectionAt place: Place) {
        let failure = issue.sourceLocation.map { shown(($0.path, $0.line)) } ?? "an unknown place"
        log("the failure at \(failure) is not retried, because flaky at \(shown(place)) has no effect: \(cause)")
    }

    private static func shown(_ place: Place) -> String {
        "\(ProcessContext.shared.report.relative(place.file)):\(place.line)"
    }

    private static var cause: String {
        guard let test = Test.current else {
            return "it runs in no task of a test; call it in the test itself, not in a detached task or on a thread, "
                + "and in an XCTest case, call the flaky of RetryableTestCase"
        }
        if test.traits.contains(where: { $0 is RetryableTrait || $0 is FlakyTrait }) {
            return "it runs outside of the test, in a trait before .retryable"
        }
        return "the test is not in a @Suite(.retryable)"
    }
}
