import RetryableTesting
import Testing

@Suite(.retryable) struct RealFailures {
    @Test func afterFlake() {
        flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
        Issue.record("outside")
    }

    @Test func beforeFlake() {
        Issue.record("outside")
        flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
    }

    @Test func thrownAfterFlake() throws {
        flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
        throw Boom()
    }

    @Test func onRetry() {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
        if retryCount > 0 { Issue.record("outside") }
    }
}
