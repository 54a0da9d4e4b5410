import RetryReport
import RetryableTesting
import TestSupport
import Testing

@Suite("Traits that run a test in ways of their own")
struct TraitTests {
    @Test("a trait that detaches the test crashes nothing")
    func detached() async throws {
        let run = try await SwiftTestingRun.of("Detached/passes")
        #expect(run.ending == .success)
        #expect(run.failures.isEmpty)
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

    @Test("a failure of a test that a trait detaches fails the run")
    func detachedFailure() async throws {
        #expect(try await SwiftTestingRun.of("Detached/fails").ending == .failure)
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
    /// Runs the test in a task that is none of Swift Testing's.
    struct Detaches: TestTrait, TestScoping {
        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await withoutActuallyEscaping(function) { function in
                try await Task.detached { try await function() }.value
            }
        }
    }

    @Suite struct Detached {
        @Test(Detaches(), .retryable) func passes() { flaky(.race) {} }

        @Test(Detaches(), .retryable) func flakes() {
            flaky(.race) { #expect(Test.retryCount > 0) }
        }

        @Test(Detaches(), .retryable) func fails() { Issue.record("outside") }
    }

    struct RunsTwice: TestTrait, TestScoping {
        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await function()
            try await function()
        }
    }

    @Suite struct Twice {
        private static let isSecond = Locked(false)

        @Test(RunsTwice(), .retryable) func flakes() {
            print("attempt \(Test.retryCount + 1)")
            flaky(.race) { #expect(Test.retryCount > 0) }
        }

        @Test(RunsTwice(), .retryable) func failsTheSecondTime() {
            let isSecond = Self.isSecond.withLock { value in
                defer { value = true }
                return value
            }
            if isSecond { Issue.record("the second time") }
        }
    }
#endif
