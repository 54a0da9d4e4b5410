import Foundation
import RetryableTesting
import Testing

@Suite(.retryable) struct Ends {
    @Test func exits() {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
        if retryCount == 1 { exit(7) }
    }

    @Test func exitsWithSuccess() {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
        if retryCount == 1 { exit(0) }
    }

    @Test func exitsAtOnce() { exit(0) }

    @Test func exitsWhenItHasFlaked() async {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
        await Task.yield()
        exit(0)
    }

    @Test func exitsOnThread() async {
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread { exit(0) }
        }
    }

    @Test(arguments: ["ada"]) func exitsFor(user: String) { exit(0) }

    @Test func crashes() {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
        if retryCount == 1 { kill(getpid(), SIGKILL) }
    }

    /// Two attempts of 40 seconds.
    @Test(.timeLimit(.minutes(1)), .enabled(if: ProcessInfo.processInfo.environment["MISBEHAVING_SLOW"] == "1"))
    func takesTooLong() async throws {
        try await flaky(.notFixable(reason: "slow", maxRetryCount: 5)) {
            try await Task.sleep(nanoseconds: 40_000_000_000)
            _ = Issue.record("attempt \(retryCount + 1)")
        }
    }
}

@Suite(.retryable) struct ExitsInInit {
    init() { exit(0) }

    @Test func test() {}
}

/// Ends the process where the fixtures of a suite would be set up.
struct Exits: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        exit(0)
    }
}

@Suite(.retryable, Exits()) struct ExitsInScope {
    @Test func test() {}
}
