import Testing

@testable import Retryable

@Suite("The tries of a step, counted and put into words")
struct StepTriesTests {
    @Test(
        "there are as many retries as are allowed, and none for a negative count",
        arguments: [(3, 3), (0, 0), (-2, 0)]
    )
    func count(allowed: Int, made: Int) {
        var tries = StepTries("Launch", allowedRetries: allowed)
        while tries.beginRetry() {}
        #expect(tries.retries == made)
        #expect(!tries.hasNext)
    }

    @Test("an action that nobody described is called one")
    func unnamed() {
        #expect(StepTries(nil, allowedRetries: 0).failure == "autoRetry: Action did not succeed in 1 try")
    }

    @Test("an error is told with the try that it was thrown by, and with its own line only")
    func error() {
        var tries = StepTries("Launch", allowedRetries: 2)
        tries.lastError = (1, "Boom")
        #expect(tries.line(at: .unsuccessful).hasSuffix("Retrying. Error: Boom"))
        _ = tries.beginRetry()
        #expect(tries.line(at: .unsuccessful).hasSuffix("Retrying."))
        #expect(tries.failure.hasSuffix("in 2 tries; last error, thrown by try 1: Boom"))
    }

    @Test("a failure is one line, whatever the action is called")
    func oneLine() {
        #expect(StepTries("a\nb", allowedRetries: 0).failure == "autoRetry: a\\nb did not succeed in 1 try")
    }

    @Test("only a negative count is a mistake", arguments: [(-1, true), (0, false), (3, false)])
    func mistake(count: Int, isMistake: Bool) {
        #expect((StepTries(nil, allowedRetries: count).mistake != nil) == isMistake)
    }
}
