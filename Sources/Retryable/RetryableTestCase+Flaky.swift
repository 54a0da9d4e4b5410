@_exported import RetryCore
import RetryReport
@_exported import XCTest

extension RetryableTestCase {
    /// The number of attempts of this test before the current one: 0 on the first.
    public var retryCount: Int { previousAttempt.map { $0.retryCount + 1 } ?? 0 }

    /// Marks the part of a test that flakes.
    ///
    /// A failure inside `section` does not fail the test if it has retries left: the test is run again after the other
    /// tests, and the report names it. Everything outside fails as it always did.
    ///
    /// ```swift
    /// func testSignsIn() throws {
    ///     try flaky(.fixable(reason: "the token arrives late")) {
    ///         XCTAssertTrue(try session.isSignedIn)
    ///     }
    ///     XCTAssertEqual(session.user, "ada")  // never retried
    /// }
    /// ```
    ///
    /// With `continueAfterFailure = false` this throws when the section has flaked, to stop the test as it would stop
    /// on Apple's systems.
    ///
    /// - Returns: The value of `section`.
    /// - Throws: The very error that `section` throws.
    public func flaky<R>(
        _ mark: Flakiness,
        file: StaticString = #filePath,
        line: UInt = #line,
        _ section: () throws -> R
    ) throws -> R {
        guard let attempt = attempt(for: mark, at: file, line) else { return try section() }
        try attempt.stopIfFlaked()
        let result = try attempt.runSection(mark, at: .xctest(file, line), section)
        try attempt.stopIfFlaked()
        return result
    }

    /// Marks the part of a test that flakes and cannot throw; the call needs no `try`.
    public func flaky<R>(
        _ mark: Flakiness,
        file: StaticString = #filePath,
        line: UInt = #line,
        _ section: () -> R
    ) -> R {
        guard let attempt = attempt(for: mark, at: file, line) else { return section() }
        return attempt.runSection(mark, at: .xctest(file, line), section)
    }

    /// Marks one expression that flakes.
    ///
    /// ```swift
    /// flaky(.fixable(reason: "there is a race here"), XCTAssert(isReady))
    /// let user = try flaky(.fixable(reason: "there is a race here"), try XCTUnwrap(session.user))
    /// ```
    ///
    /// This form throws nothing of its own, so with `continueAfterFailure = false` an expression that flaked without an
    /// error ends the test at the next `flaky` that can throw.
    @_disfavoredOverload
    public func flaky<R>(
        _ mark: Flakiness,
        file: StaticString = #filePath,
        line: UInt = #line,
        _ section: @autoclosure () throws -> R
    ) rethrows -> R {
        guard let attempt = attempt(for: mark, at: file, line) else { return try section() }
        return try attempt.runSection(mark, at: .xctest(file, line), section)
    }

    /// Marks the part of a test that flakes and suspends. It runs on the caller's actor.
    @_disfavoredOverload
    public func flaky<R>(
        _ mark: Flakiness,
        file: StaticString = #filePath,
        line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation,
        _ section: () async throws -> R
    ) async throws -> R {
        guard let attempt = attempt(for: mark, at: file, line) else { return try await section() }
        try attempt.stopIfFlaked()
        let result = try await attempt.runSection(mark, at: .xctest(file, line), isolation: isolation, section)
        try attempt.stopIfFlaked()
        return result
    }

    /// Marks the part of a test that flakes, suspends and cannot throw. It runs on the caller's actor.
    @_disfavoredOverload
    public func flaky<R>(
        _ mark: Flakiness,
        file: StaticString = #filePath,
        line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation,
        _ section: () async -> R
    ) async -> R {
        guard let attempt = attempt(for: mark, at: file, line) else { return await section() }
        return await attempt.runSection(mark, at: .xctest(file, line), isolation: isolation, section)
    }

    /// The attempt that a section is about to be part of; `nil` if there is none, or if the mark is bad: then the test
    /// fails here and now, and the section is as if it were not marked.
    private func attempt(for mark: Flakiness, at file: StaticString, _ line: UInt) -> Attempt? {
        guard let mistake = mark.mistake else { return attempt }
        if attempt?.hasEnded == false {
            fail(with: Failure(mistake, at: CallSite.xctest(file, line).place))
        } else {
            XCTFail(mistake, file: file, line: line)  // fails the test that runs now, because this one has ended
        }
        return nil
    }
}

// Where there is no test to call it on, the compiler says what to do.

/// Marks the part of a test that flakes; see ``RetryableTestCase``.
@available(*, unavailable, message: "inherit from RetryableTestCase, or give helpers one as test: test.flaky(…)")
@discardableResult
public func flaky<R>(_ mark: Flakiness, _ section: () throws -> R) rethrows -> R { try section() }

/// Marks the part of a test that flakes and suspends; see ``RetryableTestCase``.
@available(*, unavailable, message: "inherit from RetryableTestCase, or give helpers one as test: test.flaky(…)")
@discardableResult
@_disfavoredOverload
public func flaky<R>(_ mark: Flakiness, _ section: () async throws -> R) async rethrows -> R { try await section() }

/// Marks one expression that flakes; see ``RetryableTestCase``.
@available(*, unavailable, message: "inherit from RetryableTestCase, or give helpers one as test: test.flaky(…)")
@discardableResult
@_disfavoredOverload
public func flaky<R>(_ mark: Flakiness, _ section: @autoclosure () throws -> R) rethrows -> R { try section() }
