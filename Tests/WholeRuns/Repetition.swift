import RetryReport
import RetryableTesting
import TestSupport
import Testing

/// Swift 6.4's `swift test` takes `--maximum-repetitions N --repeat-until pass|fail`; the test program, of any release, takes
/// the number as `--repetitions`.
@Suite("Repetition by Swift Testing itself")
struct RepetitionTests {
    @Test("a flake that recovers does not have a test repeated until it passes")
    func flake() async throws {
        let run = try await SwiftTestingRun.of("Repeated/flakes", ["--repetitions", "3", "--repeat-until", "pass"])
        #expect(run.ending == .success)
        #expect(run.printed == ["attempt 1", "attempt 2"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("a flake that recovers does not end what is repeated until it fails")
    func untilFailure() async throws {
        let run = try await SwiftTestingRun.of("Repeated/flakes", ["--repetitions", "3", "--repeat-until", "fail"])
        #expect(run.ending == .success)
        #expect(run.printed == ["attempt 1", "attempt 2", "attempt 1", "attempt 2", "attempt 1", "attempt 2"])
        #expect(run.report.retries.map { $0.attempts.map(\.number) } == [[1, 2, 1, 2, 1, 2]])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("a real failure is repeated, and the run has failed")
    func realFailure() async throws {
        let run = try await SwiftTestingRun.of("Repeated/fails", ["--repetitions", "3", "--repeat-until", "pass"])
        #expect(run.ending == .failure)
        #expect(run.printed == ["attempt 1", "attempt 1"])
        #expect(run.failures == ["Issue recorded: the first time"])
        #expect(run.report.retries.isEmpty)
    }

    @Test("a retry and a repetition in one test do each other no harm")
    func both() async throws {
        let run = try await SwiftTestingRun.of("Repeated/both", ["--repetitions", "3", "--repeat-until", "pass"])
        #expect(run.ending == .failure)
        #expect(run.printed == ["attempt 1", "attempt 2", "attempt 1", "attempt 2"])
        #expect(run.failures == ["Issue recorded: the first time"])
        #expect(run.report.retries.map { $0.attempts.map(\.number) } == [[1, 2, 1, 2]])
    }
}

// MARK: - Programs

#if PROGRAM
    @Suite(.retryable) struct Repeated {
        private static let hasFailed = Locked(false)

        @Test func flakes() {
            print("attempt \(Test.retryCount + 1)")
            flaky(.race) { #expect(Test.retryCount > 0) }
        }

        @Test func fails() {
            print("attempt \(Test.retryCount + 1)")
            failOnce()
        }

        @Test func both() {
            print("attempt \(Test.retryCount + 1)")
            flaky(.race) { #expect(Test.retryCount > 0) }
            if Test.retryCount > 0 { failOnce() }
        }

        private func failOnce() {
            if !Self.hasFailed.exchange(true) { Issue.record("the first time") }
        }
    }
#endif
