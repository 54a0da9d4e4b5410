import RetryableTesting
import Testing

@Suite(.retryable) final class Instances {
    private let attempt = retryCount + 1
    private var count = 0

    init() { print("init \(attempt)") }

    deinit { print("deinit \(attempt)") }

    @Test func areNew() {
        count += 1
        print("test \(attempt), count \(count)")
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
    }
}

@Suite(.retryable) struct FlakyInit {
    init() throws {
        try flaky(.fixable(reason: "slow to start")) { if retryCount == 0 { throw Boom() } }
    }

    @Test func test() { print("body of attempt \(retryCount + 1)") }
}

@Suite(.retryable) enum Outer {
    @Suite struct Inner {
        @Test func inherits() {
            flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
        }

        @Suite(.retryable) struct Innermost {
            @Test func hasItTwice() {
                print("attempt \(retryCount + 1)")
                flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
            }
        }
    }
}

/// Leaves out the retries of the test that it is on.
struct LeavesOutRetries: TestTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        if retryCount == 0 { try await function() }
    }
}

@Suite(.retryable) struct LeftOut {
    @Test(LeavesOutRetries()) func test() {
        flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
    }
}

/// The trait is asked once, for all attempts.
@Test(LeavesOutRetries(), .flaky(.fixable(reason: "a race"))) func leftOutAround() { #expect(retryCount > 0) }

@Suite struct NotOptedIn {
    @Test func first() { flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") } }

    @Test func second() throws { try flaky(.fixable(reason: "")) { throw Boom() } }

    @Test func passes() async {
        await flaky(.fixable(reason: "a race")) { await Task.yield() }
        print("retryCount \(retryCount)")
    }
}
