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
/// Write `try` and `await` before `#expect`, not in it: Swift does not look into a macro's arguments when it finds out
/// whether a closure throws.
///
/// In a test that is not `.retryable` it changes nothing, and says so once on standard error.
///
/// - Parameters:
///   - mark: Whether the flake can be fixed, why it occurs, and how often the test may be run again.
///   - file: The file of the call.
///   - line: The line of the call.
///   - section: The code that flakes.
/// - Returns: What `section` returns.
/// - Throws: The very error that `section` throws.
@discardableResult
public func flaky<R>(
    _ mark: Flakiness,
    file: StaticString = #filePath,
    line: UInt = #line,
    _ section: () throws -> R
) throws -> R {
    guard let attempt = attempt(for: mark, file: file, line: line) else { return try section() }
    return try attempt.run(mark, file: file, line: line) { try attempt.held(section) }
}

/// Marks the part of a test that flakes and cannot throw; the call needs no `try`.
///
/// - Parameters:
///   - mark: Whether the flake can be fixed, why it occurs, and how often the test may be run again.
///   - file: The file of the call.
///   - line: The line of the call.
///   - section: The code that flakes.
/// - Returns: What `section` returns.
@discardableResult
public func flaky<R>(
    _ mark: Flakiness,
    file: StaticString = #filePath,
    line: UInt = #line,
    _ section: () -> R
) -> R {
    guard let attempt = attempt(for: mark, file: file, line: line) else { return section() }
    return attempt.run(mark, file: file, line: line) { attempt.held(section) }
}

/// Marks one expression that flakes.
///
/// ```swift
/// flaky(.fixable(reason: "there is a race here"), #expect(isReady))
/// let user = try flaky(.fixable(reason: "there is a race here"), try #require(session.user))
/// ```
///
/// - Parameters:
///   - mark: Whether the flake can be fixed, why it occurs, and how often the test may be run again.
///   - file: The file of the call.
///   - line: The line of the call.
///   - section: The expression that flakes.
/// - Returns: The expression's value.
/// - Throws: The very error that the expression throws.
@discardableResult
@_disfavoredOverload
public func flaky<R>(
    _ mark: Flakiness,
    file: StaticString = #filePath,
    line: UInt = #line,
    _ section: @autoclosure () throws -> R
) rethrows -> R {
    guard let attempt = attempt(for: mark, file: file, line: line) else { return try section() }
    return try attempt.run(mark, file: file, line: line) { try attempt.held(section) }
}

/// Marks the part of a test that flakes and suspends. It runs on the caller's actor.
///
/// - Parameters:
///   - mark: Whether the flake can be fixed, why it occurs, and how often the test may be run again.
///   - file: The file of the call.
///   - line: The line of the call.
///   - isolation: The actor to run on: the caller's.
///   - section: The code that flakes.
/// - Returns: What `section` returns.
/// - Throws: The very error that `section` throws.
@discardableResult
@_disfavoredOverload
public func flaky<R>(
    _ mark: Flakiness,
    file: StaticString = #filePath,
    line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ section: () async throws -> R
) async throws -> R {
    guard let attempt = attempt(for: mark, file: file, line: line) else { return try await section() }
    return try await attempt.run(mark, file: file, line: line, isolation: isolation) {
        try await attempt.held(isolation: isolation, section)
    }
}

/// Marks the part of a test that flakes, suspends and cannot throw. It runs on the caller's actor.
///
/// - Parameters:
///   - mark: Whether the flake can be fixed, why it occurs, and how often the test may be run again.
///   - file: The file of the call.
///   - line: The line of the call.
///   - isolation: The actor to run on: the caller's.
///   - section: The code that flakes.
/// - Returns: What `section` returns.
@discardableResult
@_disfavoredOverload
public func flaky<R>(
    _ mark: Flakiness,
    file: StaticString = #filePath,
    line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ section: () async -> R
) async -> R {
    guard let attempt = attempt(for: mark, file: file, line: line) else { return await section() }
    return await attempt.run(mark, file: file, line: line, isolation: isolation) {
        await attempt.held(isolation: isolation, section)
    }
}

/// The attempt that a section is about to be part of; `nil` if there is none, or if the mark is bad: then the test
/// fails here and now, and the section is as if it were not marked.
private func attempt(for mark: Flakiness, file: StaticString, line: UInt) -> Attempt? {
    guard let attempt = Attempt.current else {
        ThisProcess.sayHowToOptIn(file: file, line: line)
        return nil
    }
    guard let mistake = mark.mistake else { return attempt }
    let module = Test.current?.id.moduleName ?? ""
    // No section around this one holds it back.
    CurrentSections.none {
        _ = Issue.record(
            Comment(rawValue: mistake),
            sourceLocation: SourceLocation(path: "\(file)", line: Int(clamping: line), module: module)
        )
    }
    return nil
}
