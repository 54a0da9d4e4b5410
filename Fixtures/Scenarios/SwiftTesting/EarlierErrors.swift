import RetryableTesting
import Testing

/// What the tests need is made once, by the first attempt.
@Suite(.retryable) struct EarlierErrors {
    private static let fixture = Result { try #require(nil as Int?, "no fixture") }
    private static let other = Result { try #require(nil as Int?, "no fixture") }
    private static let task = Task { try #require(nil as Int?, "no fixture") }

    @Test func once() throws {
        let value = try flaky(.fixable(reason: "slow")) { try Self.fixture.get() }
        #expect(value == 1)
    }

    @Test func often() throws {
        let value = try flaky(.notFixable(reason: "slow", maxRetryCount: 2)) { try Self.other.get() }
        #expect(value == 1)
    }

    @Test func ofTask() async throws {
        let value = try await flaky(.fixable(reason: "slow")) { try await Self.task.value }
        #expect(value == 1)
    }
}

/// What both tests need is made once, by the first of them.
@Suite(.retryable, .serialized) struct EarlierTests {
    private static let fixture = Result { try #require(nil as Int?, "no fixture") }

    @Test func first() throws { _ = try Self.fixture.get() }

    @Test func second() throws { _ = try Self.fixture.get() }
}
