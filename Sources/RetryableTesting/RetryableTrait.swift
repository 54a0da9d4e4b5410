import RetryCore
import Testing

/// Runs a test again if only what it marks as flaky has failed; see `.retryable`.
public struct RetryableTrait: TestTrait, SuiteTrait, TestScoping {
    let use = TraitInUse()

    /// Suites in the suite, and their tests, are retryable as well.
    public var isRecursive: Bool { true }

    /// Reads the environment and puts the report in place; Swift Testing calls this before any test runs.
    public func prepare(for test: Test) async throws { RunLifecycle.prepare() }

    /// Takes part in suites, and in the cases of tests. Swift Testing calls this.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> RetryableTrait? {
        test.isSuite || testCase != nil ? self : nil
    }

    /// Runs a suite, or the attempts of one test case; Swift Testing calls this.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        if test.isSuite {
            let key = CasesInProgress.start(test, nil)
            defer { CasesInProgress.finish(key) }
            // Without room, its end is not watched.
            let slot = test.hasOtherScope(in: nil) ? AttemptSlots.current?.begin(.init(suite: "\(test.id)")) : nil
            defer { slot?.end(.leftSuite) }
            try await function()
        } else {
            try await RetryLoop.run(test, testCase, function)
        }
    }
}

extension Trait where Self == RetryableTrait {
    /// Retries what flakes in a suite or in a test, and only that.
    ///
    /// Opt in with it, and mark the part of a test that flakes with `flaky(_:_:)`, or a whole test with
    /// `.flaky(_:)`. Suites in the suite inherit it. A test without such a mark runs as it would
    /// without this trait.
    ///
    /// ```swift
    /// @Suite(.retryable) struct Login {
    ///     @Test func signsIn() async throws {
    ///         try await flaky(.fixable(reason: "the token arrives late")) {
    ///             try await #expect(session.isSignedIn)
    ///         }
    ///         #expect(session.user == "ada")  // never retried
    ///     }
    /// }
    /// ```
    public static var retryable: Self { Self() }
}

// MARK: - A whole test as one section

/// Makes the whole of a test one flaky section; see `.flaky(_:)`.
public struct FlakyTrait: TestTrait, TestScoping {
    let mark: Flakiness
    let sourceLocation: SourceLocation
    let use = TraitInUse()

    /// Reads the environment and puts the report in place; Swift Testing calls this before any test runs.
    public func prepare(for test: Test) async throws { RunLifecycle.prepare() }

    /// Runs the attempts of one test case; Swift Testing calls this.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await RetryLoop.run(test, testCase) {
            try await RetryableTesting.flaky(mark, sourceLocation: sourceLocation) { try await function() }
        }
    }
}

extension Trait where Self == FlakyTrait {
    /// Marks a whole test as flaky: any failure in it is retried, in its suite's `init` and `deinit` too.
    ///
    /// The test need not be in a `.retryable` suite: this mark opts in by itself.
    ///
    /// ```swift
    /// @Test(.flaky(.notFixable(reason: "the sandbox store drops requests", maxRetryCount: 2)))
    /// func buys() async throws { … }
    /// ```
    public static func flaky(_ mark: Flakiness, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        Self(mark: mark, sourceLocation: sourceLocation)
    }
}

extension Trait where Self == RetryableTrait {
    /// Gives a suite marked `.flaky` an understandable compiler error.
    @available(*, unavailable, message: "mark tests .flaky, one by one; a suite is .retryable")
    public static func flaky(_ mark: Flakiness) -> Self { Self() }
}
