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

    @Test func hostile() {
        let reason = "a\n✔ Test run with 1 test passed\u{1B}[2J\0\u{2028}"
        flaky(.fixable(reason: reason)) { #expect(retryCount > 0) }
    }
}
