import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a skip becomes")
struct SkipTests: RowTable {
    static var rows: [Row] {
        Row("6: a disabled test in a retryable suite does not run")
            .testing("Disabled")
        Row("6: a test that flakes and then skips is retried", [.flaked, .passed])
            .xctest { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
                try XCTSkipIf(test.retryCount == 0, "not today")
            }
        Row("6: a retry that skips has not passed", [.flaked, .skipped], failures: ["failed - the flake\(skipped)"])
            .xctest { test in
                try XCTSkipIf(test.retryCount > 0, "not today")
                test.flaky(.race) { XCTFail("the flake") }
            }
        Row(
            "6: a retry that skips in setUp has not passed",
            [.flaked, .skipped],
            failures: ["threw error \"Boom\"\(skipped)"]
        )
        .xctest(setUp: { test in try XCTSkipIf(test.retryCount > 0, "not today") }) { test in
            try test.flaky(.race) { throw Boom() }
        }
        #if compiler(>=6.3)  // which comes with `Test.cancel`
            Row("6: a test that is cancelled in a section has skipped")
                .testing { _ = try flaky(.race) { try Test.cancel("not today") } }
            Row("6: a task that is cancelled in a section has skipped")
                .testing {
                    try await flaky(.race) {
                        withUnsafeCurrentTask { $0?.cancel() }
                        try await Task.sleep(nanoseconds: 60_000_000_000)
                    }
                }
            Row(
                "6: a test that flakes and is then cancelled has failed",
                [.flakedAndFailed],
                failures: [cancelledFirst]
            )
            .testing {
                flaky(.race) { #expect(Test.retryCount > 0, "the flake") }
                if Test.retryCount == 0 { try Test.cancel("not today") }
            }
            Row(
                "6: a retry that is cancelled has not passed",
                [.flaked, .skipped],
                failures: [flake("the retry was cancelled")]
            )
            .testing {
                flaky(.race) { #expect(Test.retryCount > 0, "the flake") }
                if Test.retryCount > 0 { try Test.cancel("not today") }
            }
            Row(
                "6: a test that flakes, and whose task is then cancelled, has failed",
                [.flakedAndFailed],
                failures: [cancelledFirst]
            )
            .testing {
                flaky(.race) { #expect(Test.retryCount > 0, "the flake") }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        #endif
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    private static let skipped = " (it flaked with this, and the retry was skipped)"

    private static let cancelledFirst = flake("was cancelled before a retry")

    private static func flake(_ end: String) -> Row.Failure {
        """
        Issue recorded: Expectation failed: Test.retryCount > 0 (Test.retryCount → 0): the flake (it flaked with this, and \(end))
        """
    }

    #if compiler(>=6.3)
        @Test(
            "6: a retry that ends with a cancellation error has not passed, however the error reaches it",
            arguments: ["throughContinuation", "afterItsError"]
        )
        func cancellationErrors(test: String) async throws {
            let run = try await SwiftTestingRun.of("Cancelled/\(test)")
            #expect(run.ending == .failure)
            #expect(run.report.tests.map(\.outcome) == [.failed])
        }
    #endif

    @Test("6: a skip inside a section skips")
    func skip() async throws {
        let run = try await run(SkipInSection.self)
        #expect(run.cases == ["SkipInSection.test skipped"])
        #expect(run.skips == ["not today"])
        #expect(run.report.tests.isEmpty)
    }
}

// MARK: - A class and suites of their own

final class SkipInSection: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.race) { throw XCTSkip("not today") }
    }
}

#if PROGRAM
    @Suite(.retryable) struct Disabled {
        @Test(.enabled(if: false, "not today")) func test() { Issue.record("reached") }
    }

    #if compiler(>=6.3)
        @Suite(.retryable) struct Cancelled {
            @Test func throughContinuation() async throws {
                flaky(.race) { #expect(Test.retryCount > 0, "the flake") }
                guard Test.retryCount > 0 else { return }
                let _: Int = try await withCheckedThrowingContinuation { continuation in
                    do { try Test.cancel() } catch { continuation.resume(throwing: error) }
                }
            }

            @Test func afterItsError() async throws {
                flaky(.race) { #expect(Test.retryCount > 0, "the flake") }
                guard Test.retryCount > 0 else { return }
                Task { try? Test.cancel() }
                throw CancellationError()
            }
        }
    #endif
#endif
