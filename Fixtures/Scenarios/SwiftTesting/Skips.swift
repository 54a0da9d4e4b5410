import RetryableTesting
import Testing

@Suite(.retryable) struct Skips {
    @Test(.enabled(if: false, "not today")) func disabled() {
        Issue.record("reached")
    }

    @Test func inSection() throws {
        try flaky(.fixable(reason: "a race")) { try Test.cancel("not today") }
    }

    @Test func afterFlake() throws {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
        if retryCount == 0 { try Test.cancel("not today") }
        print("task of the retry is cancelled: \(Task.isCancelled)")
    }

    @Test func everyTimeAfterFlake() throws {
        flaky(.notFixable(reason: "a race", maxRetryCount: 3)) { #expect(retryCount > 2) }
        if retryCount < 3 { try Test.cancel("not today") }
    }

    @Test func retrySkips() throws {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0, "the flake") }
        if retryCount > 0 { try Test.cancel("not today") }
    }

    @Test func cancelledAfterFlake() async {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0, "the flake") }
        withUnsafeCurrentTask { $0?.cancel() }
    }

    @Test func cancelledInSection() async throws {
        try await flaky(.fixable(reason: "a race")) {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Task.sleep(nanoseconds: 60_000_000_000)
        }
    }
}
