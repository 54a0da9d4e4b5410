import RetryableTesting
import Testing

@Suite(.retryable) struct Sections {
    @Test func flakesOnce() {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0, "too early") }
        #expect(Bool(true))
    }

    @Test func nested() {
        flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
            flaky(.fixable(reason: "inner")) { #expect(retryCount > 1) }
        }
    }

    @Test func neverPasses() {
        flaky(.notFixable(reason: "always", maxRetryCount: 2)) { _ = Issue.record("attempt \(retryCount + 1)") }
    }

    @Test func failsOutside() {
        flaky(.fixable(reason: "passes")) {}
        Issue.record("outside")
    }

    @Test func allowsNoRetry() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 0)) { _ = Issue.record("inside") }
    }

    @Test func passes() {
        flaky(.fixable(reason: "passes")) {}
    }

    @Test(.flaky(.notFixable(reason: "a whole test", maxRetryCount: 2)))
    func whole() throws {
        if retryCount == 0 { throw Boom() }
        #expect(retryCount > 1)
    }

    @Test func warns() {
        flaky(.fixable(reason: "a race")) { _ = Issue.record("a warning", severity: .warning) }
    }
}

/// Not in a suite that has opted in.
@Test(.flaky(.fixable(reason: "a race"))) func wholeWithoutSuite() {
    #expect(retryCount > 0)
}

struct Boom: Error {}
