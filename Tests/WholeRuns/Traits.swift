import RetryReport
import RetryableTesting
import TestSupport
import Testing

@Suite("Traits that run a test in ways of their own")
struct TraitTests {
    @Test("a test that a trait detaches passes and fails as ever", arguments: [("passes", 0), ("fails", 1)])
    func detached(test: String, exitCode: Int32) async throws {
        let run = try await SwiftTestingRun.of("Detached/\(test)")
        #expect(run.ending == .exitCode(exitCode))
        #expect(run.failures.count == exitCode)
    }

    @Test("a flake of a test that a trait detaches is retried, or fails the run")
    func detachedFlake() async throws {
        let run = try await SwiftTestingRun.of("Detached/flakes")
        if run.ending == .success {
            #expect(run.report.retries.map(\.outcome) == [.recovered])
            #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .passed])
        } else {
            #expect(run.ending == .failure)
        }
    }

    @Test("a trait that runs the test twice has each run retried")
    func twice() async throws {
        let run = try await SwiftTestingRun.of("Twice/flakes")
        #expect(run.ending == .success)
        #expect(run.failures.isEmpty)
        #expect(run.printed == ["attempt 1", "attempt 2", "attempt 1", "attempt 2"])
        #expect(run.report.retries.allSatisfy { $0.outcome == .recovered })
        #expect(!run.report.retries.isEmpty)
    }

    @Test("a failure in the second run of such a test is real")
    func twiceFailing() async throws {
        let run = try await SwiftTestingRun.of("Twice/failsTheSecondTime")
        #expect(run.ending == .failure)
        #expect(run.failures == ["Issue recorded: the second time"])
    }
}

#if PROGRAM
    /// A trait that runs its test, or its suite, as a closure says.
    struct Around: TestTrait, SuiteTrait, TestScoping {
        let run: @Sendable (_ test: @Sendable () async throws -> Void) async throws -> Void

        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await run(function)
        }
    }

    /// Runs the test in a task that is none of Swift Testing's.
    private let detaches = Around { test in
        try await withoutActuallyEscaping(test) { test in try await Task.detached { try await test() }.value }
    }

    private let runsTwice = Around { test in
        try await test()
        try await test()
    }

    @Suite struct Detached {
        @Test(detaches, .retryable) func passes() { flaky(.race) {} }

        @Test(detaches, .retryable) func flakes() {
            flaky(.race) { #expect(Test.retryCount > 0) }
        }

        @Test(detaches, .retryable) func fails() { Issue.record("outside") }
    }

    @Suite struct Twice {
        private static let isSecond = Locked(false)

        @Test(runsTwice, .retryable) func flakes() {
            print("attempt \(Test.retryCount + 1)")
            flaky(.race) { #expect(Test.retryCount > 0) }
        }

        @Test(runsTwice, .retryable) func failsTheSecondTime() {
            if Self.isSecond.exchange(true) { Issue.record("the second time") }
        }
    }
#endif
