import Groundwork
import RetryCore
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
    guard let call = enter(mark, sourceLocation) else { return try section() }
    return try call.run(section, rescue: { throw $0 })
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
    guard let call = enter(mark, sourceLocation) else { return try section() }
    return try call.run(section, rescue: { throw $0 })
}

/// Marks the part of a test that flakes and suspends. It runs on the caller's actor.
@_disfavoredOverload
public func flaky<R>(
    _ mark: Flakiness,
    sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation,
    _ section: () async throws -> R
) async rethrows -> R {
    guard let call = enter(mark, sourceLocation) else { return try await section() }
    return try await call.run(isolation: isolation, section, rescue: { throw $0 })
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
    /// own belongs to no test and reads 0: read it before you go there.
    public static var retryCount: Int { Attempt.current?.retryCount ?? 0 }
}

/// The number of attempts of the running test case before the current one.
@available(*, deprecated, renamed: "Test.retryCount")
public var retryCount: Int { Test.retryCount }

/// Enters a section. Returns `nil` if the mark is bad: then the test fails here and now, and the section is as if it were not
/// marked.
private func enter(_ mark: Flakiness, _ sourceLocation: SourceLocation) -> FlakyCall? {
    let attempt = Attempt.current
    guard attempt != nil, let mistake = mark.mistake else { return FlakyCall(mark, in: attempt, at: sourceLocation) }
    // Outside of all sections, so that none around this one suppresses it.
    OpenSection.$innermost.withValue(nil) {
        _ = Issue.record(Comment(rawValue: mistake), sourceLocation: sourceLocation)
    }
    return nil
}
