import RetryableTesting
import Testing

@Suite(.retryable) struct Marks {
    @Test func emptyReason() { flaky(.fixable(reason: "")) {} }

    @Test func blankReason() { flaky(.fixable(reason: " \n")) {} }

    @Test func negativeCount() { flaky(.notFixable(reason: "a race", maxRetryCount: -1)) {} }

    @Test func failingSection() { flaky(.fixable(reason: "")) { _ = Issue.record("inside") } }

    @Test func inGoodSection() {
        flaky(.fixable(reason: "good")) { flaky(.fixable(reason: "")) {} }
    }

    @Test(.flaky(.fixable(reason: ""))) func onTest() {}

    @Test func emptyMatching() { flaky(.fixable(reason: "a race", matching: "")) {} }

    @Test func matches() {
        flaky(.fixable(reason: "a race", matching: "timed out")) { #expect(retryCount > 0, "it timed out") }
    }

    @Test func matchesError() throws {
        try flaky(.fixable(reason: "a race", matching: "Boom")) { if retryCount == 0 { throw Boom() } }
    }

    @Test func doesNotMatch() {
        flaky(.fixable(reason: "a race", matching: "timed out")) { #expect(retryCount > 0, "no such user") }
    }

    @Test func onlyOuterMatches() {
        flaky(.notFixable(reason: "outer")) {
            flaky(.fixable(reason: "inner", matching: "timed out")) { #expect(retryCount > 0, "no such user") }
        }
    }

    @Test func hostile() {
        let reason = "a\n✔ Test run with 1 test passed\u{1B}[2J\0\u{2028}"
        flaky(.fixable(reason: reason)) { #expect(retryCount > 0) }
    }
}
