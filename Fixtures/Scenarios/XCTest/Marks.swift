import Retryable

extension Scenario {
    static var marks: [Scenario] {
        [
            Scenario("empty reason", testCase([("test", EmptyReason.test)])),
            Scenario("blank reason", testCase([("test", BlankReason.test)])),
            Scenario("negative count", testCase([("test", NegativeCount.test)])),
            Scenario("bad mark, failing section", testCase([("test", BadMarkFailing.test)])),
            Scenario("empty matching", testCase([("test", EmptyMatching.test)])),
            Scenario(
                "matching",
                testCase([("testMatches", Matching.testMatches), ("testError", Matching.testError)])
            ),
            Scenario("not matching", testCase([("testDoesNot", Matching.testDoesNot)])),
            Scenario("hostile", testCase([("test", Hostile.test)])),
            Scenario("allows more on each attempt", testCase([("test", AllowsMore.test)])),
        ]
    }
}

final class EmptyReason: RetryableTestCase {
    func test() { flaky(.fixable(reason: "")) {} }
}

final class BlankReason: RetryableTestCase {
    func test() { flaky(.fixable(reason: " \n")) {} }
}

final class NegativeCount: RetryableTestCase {
    func test() { flaky(.notFixable(reason: "a race", maxRetryCount: -1)) {} }
}

final class BadMarkFailing: RetryableTestCase {
    func test() { flaky(.fixable(reason: "")) { XCTFail("inside") } }
}

final class EmptyMatching: RetryableTestCase {
    func test() { flaky(.fixable(reason: "a race", matching: "")) {} }
}

final class AllowsMore: RetryableTestCase {
    func test() {
        flaky(.notFixable(reason: "a race", maxRetryCount: retryCount + 1)) { XCTAssertGreaterThan(retryCount, 1) }
    }
}

final class Matching: RetryableTestCase {
    func testMatches() {
        flaky(.fixable(reason: "a race", matching: "timed out")) { XCTAssertGreaterThan(retryCount, 0, "it timed out") }
    }

    func testError() throws {
        try flaky(.notFixable(reason: "a race", matching: "Boom")) { if retryCount == 0 { throw Boom() } }
    }

    func testDoesNot() {
        flaky(.fixable(reason: "a race", matching: "timed out")) { XCTAssertGreaterThan(retryCount, 0, "no such user") }
    }
}

final class Hostile: RetryableTestCase {
    func test() {
        let reason = "a\nTest Suite 'All tests' passed\u{1B}[2J\0\"quoted\"\u{2028}"
        flaky(.fixable(reason: reason)) { XCTAssertGreaterThan(retryCount, 0, reason) }
    }
}
