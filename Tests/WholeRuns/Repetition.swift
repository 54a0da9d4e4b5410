import RetryReport
import RetryableTesting
import TestSupport
import Testing

/// Swift 6.4's `swift test` takes `--maximum-repetitions N --repeat-until pass|fail`; the test program, of any release, takes
/// the number as `--repetitions`.
@Suite("Repetition by Swift Testing itself")
struct RepetitionTests {
    @Test(
        "Swift Testing repeats a test that failed for real, and takes one that recovered for passed",
        arguments: [
            ("flakes", "pass", [1, 2]), ("flakes", "fail", [1, 2, 1, 2, 1, 2]), ("fails", "pass", [1, 1]),
            ("both", "pass", [1, 2, 1, 2]),
        ]
    )
    func repetitions(test: String, until: String, attempts: [Int]) async throws {
        // It counts known issues, and so suppressed flakes, in 6.4's first releases (swiftlang/swift-testing#1915).
        let countsFlakes = try await SwiftTestingRun.isSince6_4()
        try await withKnownIssue(isIntermittent: true) {
            try await check(test, until: until, attempts)
        } when: {
            countsFlakes && test != "fails"
        }
    }

    private func check(_ test: String, until: String, _ attempts: [Int]) async throws {
        let arguments = ["--repetitions", "3", "--repeat-until", until]
        let run = try await SwiftTestingRun.of("Repeated/\(test)", arguments)
        let isFlaky = test == "flakes"
        #expect(run.ending == (isFlaky ? .success : .failure))
        #expect(run.printed == attempts.map { "attempt \($0)" })
        #expect(run.failures == (isFlaky ? [] : ["Issue recorded: the first time"]))
        #expect(run.report.tests.map { $0.attempts.map(\.number) } == (test == "fails" ? [] : [attempts]))
        if isFlaky { #expect(run.report.tests.map(\.outcome) == [.recovered]) }
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
