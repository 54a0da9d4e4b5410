import Retryable

extension Scenario {
    static var skips: [Scenario] {
        [
            Scenario("skip in section", testCase([("test", SkipInSection.test)])),
            Scenario("flake then skip", testCase([("test", FlakeThenSkip.test)])),
            Scenario("retry skips", testCase([("test", RetrySkips.test)])),
            Scenario("retry skips in setUp", testCase([("test", RetrySkipsInSetUp.test)])),
        ]
    }
}

final class SkipInSection: RetryableTestCase {
    func test() throws {
        try flaky(.fixable(reason: "a race")) { throw XCTSkip("not today") }
    }
}

final class FlakeThenSkip: RetryableTestCase {
    func test() throws {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
        try XCTSkipIf(retryCount == 0, "not today")
    }
}

final class RetrySkips: RetryableTestCase {
    func test() throws {
        try XCTSkipIf(retryCount > 0, "not today")
        flaky(.fixable(reason: "a race")) { XCTFail("the flake") }
    }
}

final class RetrySkipsInSetUp: RetryableTestCase {
    override func setUpWithError() throws {
        try XCTSkipIf(retryCount > 0, "not today")
    }

    func test() throws {
        try flaky(.fixable(reason: "a race")) { throw Boom() }
    }
}
