import RetryReport
import RetryableTesting
import TestSupport
import Testing

@Suite("Traits that change how a test runs")
struct TraitTests {
    @Test(
        "a test that a trait runs in a detached task passes and fails like any other",
        arguments: [("passes", 0), ("fails", 1)]
    )
    func detached(test: String, exitCode: Int32) async throws {
        let run = try await SwiftTestingRun.of("Detached/\(test)")
        #expect(run.ending == .exitCode(exitCode))
        #expect(run.failures.count == exitCode)
    }

    @Test("a flake of a test that a trait runs in a detached task is retried, or fails the run")
    func detachedFlake() async throws {
        let run = try await SwiftTestingRun.of("Detached/flakes")
        if run.ending == .success {
            #expect(run.report.tests.map(\.outcome) == [.recovered])
            #expect(run.report.tests.first?.attempts.map(\.outcome) == [.flaked, .passed])
        } else {
            #expect(run.ending == .failure)
        }
    }

    @Test("both runs of a test that a trait runs twice are retried")
    func twice() async throws {
        let run = try await SwiftTestingRun.of("Twice/flakes")
        #expect(run.ending == .success)
        #expect(run.failures.isEmpty)
        #expect(run.printed == ["attempt 1", "attempt 2", "attempt 1", "attempt 2"])
        #expect(run.report.tests.allSatisfy { $0.outcome == .recovered })
        #expect(!run.report.tests.isEmpty)
    }

    @Test(
        "a test whose failures a trait drops does not fail the run, also in a program with a main of its own",
        arguments: ["inside", "outsideAfterFlake", "insideOfKnownIssue", "leavesTask"],
        [[:], ["OWN_MAIN": "1"]]
    )
    func dropped(test: String, environment: [String: String]) async throws {
        let run = try await SwiftTestingRun.of("Dropped/\(test)", environment: environment)
        // A task that is left behind keeps the test, and with it what shows that the run goes on. Since 6.4, Swift Testing does, too.
        let isKept = try await SwiftTestingRun.isSince6_4() || test == "leavesTask"
        let isSeen = environment.isEmpty || !isKept
        #expect(run.ending == (isSeen ? .success : .failure))
        #expect(run.failures.isEmpty)
        #expect(run.report.tests.map(\.outcome) == [.failed])
    }

    @Test("a failure outside of sections in the second of two runs by a trait is real")
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

    private let knowsIssues = Around { test in
        await withKnownIssue(isIntermittent: true) { try await test() }
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

    @Suite(.retryable) struct Dropped {
        @Test(.filterIssues { _ in false }) func inside() { flaky(.race) { _ = Issue.record("inside") } }

        @Test(.filterIssues { !$0.comments.contains("noise") }) func outsideAfterFlake() {
            flaky(.race) { #expect(Test.retryCount > 0) }
            Issue.record("noise")
        }

        @Test(knowsIssues) func insideOfKnownIssue() { flaky(.race) { _ = Issue.record("inside") } }

        @Test(.filterIssues { _ in false }) func leavesTask() {
            Task { try await Task.sleep(for: .seconds(600)) }
            flaky(.race) { _ = Issue.record("inside") }
        }
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
