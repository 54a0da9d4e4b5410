import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a skip becomes")
struct SkipTests {
    @Test(arguments: [
        Row("6: a disabled test does not run", nil, "Skips/disabled"),
        Row(
            "6: a flake stands, though the test then skips",
            FlakeThenSkip.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
    ]) func row(row: Row) async throws { try await row.check() }

    #if compiler(>=6.3)  // which comes with `Test.cancel`
        @Test(arguments: [
            Row("6: a test that is cancelled in a section has skipped", nil, "Skips/inSection"),
            Row("6: a task that is cancelled in a section has skipped", nil, "Skips/cancelledInSection"),
            Row(
                "6: a flake stands, though the test is then cancelled",
                nil,
                "Skips/afterFlake",
                flakes: ["a race (fixable)"],
                [.flaked, .passed]
            ),
            Row(
                "6: and so do all flakes of one that always is",
                nil,
                "Skips/everyTimeAfterFlake",
                flakes: Array(repeating: "a race (not fixable)", count: 3),
                [.flaked, .flaked, .flaked, .passed]
            ),
            Row(
                "6: a retry that is cancelled has not passed",
                nil,
                "Skips/retrySkips",
                flakes: ["a race (fixable)"],
                issues: [
                    "Issue recorded: Expectation failed: (Test.retryCount → 0) > 0: the flake"
                        + " (it flaked with this, and the retry was cancelled)"
                ],
                [.flaked, .skipped]
            ),
            Row(
                "6: a flake that no time is left to retry fails",
                nil,
                "Skips/cancelledAfterFlake",
                flakes: ["a race (fixable)"],
                issues: [
                    "Issue recorded: Expectation failed: (Test.retryCount → 0) > 0: the flake"
                        + " (it flaked with this, and was cancelled before a retry)"
                ],
                [.failed]
            ),
        ]) func cancelled(row: Row) async throws { try await row.check() }

        @Test(
            "6: so it is where the retry's error is one of a cancellation, in whatever box, and whenever it is cancelled",
            arguments: ["cancelledThroughContinuation", "cancelledAfterItsError"]
        )
        func cancellationErrors(test: String) async throws {
            let run = try await SwiftTestingRun.of("Skips/\(test)")
            #expect(run.ending == .failure)
            #expect(run.report.retries.map(\.outcome) == [.failed])
        }

        @Test("6: a retry of a test that cancelled itself runs in a task that is not cancelled")
        func freshTask() async throws {
            let run = try await SwiftTestingRun.of("Skips/afterFlake")
            #expect(run.printed == ["task of the retry is cancelled: false"])
        }
    #endif

    @Test("6: a skip inside a section skips")
    func skip() async throws {
        let run = try await run(SkipInSection.self)
        #expect(run.cases == ["SkipInSection.test skipped"])
        #expect(run.skips == ["not today"])
        #expect(run.report.retries.isEmpty)
    }

    @Test(
        "6: a retry that skips has not passed",
        arguments: [(RetrySkips.self, "failed - the flake"), (RetrySkipsInSetUp.self, "threw error \"Boom\"")]
            as [(any Program.Type, String)]
    )
    func retrySkips(program: any Program.Type, message: String) async throws {
        let run = try await run(program, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains(message) == true)
        #expect(run.cases.last?.hasSuffix("failed") == true)
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .skipped])
    }
}

// MARK: - XCTest

final class SkipInSection: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.fixable(reason: "a race")) { throw XCTSkip("not today") }
    }
}

final class FlakeThenSkip: RetryableTestCase, OneTest {
    func test() throws {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
        try XCTSkipIf(retryCount == 0, "not today")
    }
}

final class RetrySkips: RetryableTestCase, OneTest {
    func test() throws {
        try XCTSkipIf(retryCount > 0, "not today")
        flaky(.fixable(reason: "a race")) { XCTFail("the flake") }
    }
}

final class RetrySkipsInSetUp: RetryableTestCase, OneTest {
    override func setUpWithError() throws {
        try XCTSkipIf(retryCount > 0, "not today")
    }

    func test() throws {
        try flaky(.fixable(reason: "a race")) { throw Boom() }
    }
}

// MARK: - Swift Testing

#if PROGRAM
    @Suite(.retryable) struct Skips {
        @Test(.enabled(if: false, "not today")) func disabled() {
            Issue.record("reached")
        }

        #if compiler(>=6.3)
            @Test func inSection() throws {
                try flaky(.fixable(reason: "a race")) { try Test.cancel("not today") }
            }

            @Test func afterFlake() throws {
                flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0) }
                if Test.retryCount == 0 { try Test.cancel("not today") }
                print("task of the retry is cancelled: \(Task.isCancelled)")
            }

            @Test func everyTimeAfterFlake() throws {
                flaky(.notFixable(reason: "a race", maxRetryCount: 3)) { #expect(Test.retryCount > 2) }
                if Test.retryCount < 3 { try Test.cancel("not today") }
            }

            @Test func retrySkips() throws {
                flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0, "the flake") }
                if Test.retryCount > 0 { try Test.cancel("not today") }
            }

            @Test func cancelledThroughContinuation() async throws {
                flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0, "the flake") }
                guard Test.retryCount > 0 else { return }
                let _: Int = try await withCheckedThrowingContinuation { continuation in
                    do { try Test.cancel() } catch { continuation.resume(throwing: error) }
                }
            }

            @Test func cancelledAfterItsError() async throws {
                flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0, "the flake") }
                guard Test.retryCount > 0 else { return }
                Task { try? Test.cancel() }
                throw CancellationError()
            }

            @Test func cancelledAfterFlake() async {
                flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0, "the flake") }
                withUnsafeCurrentTask { $0?.cancel() }
            }

            @Test func cancelledInSection() async throws {
                try await flaky(.fixable(reason: "a race")) {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await Task.sleep(nanoseconds: 60_000_000_000)
                }
            }
        #endif
    }
#endif
