import Retryable

extension Scenario {
    static var stops: [Scenario] {
        [
            Scenario("stops", testCase([("test", Stops.test)])),
            Scenario("stops at the next section", testCase([("test", StopsAtNext.test)])),
            Scenario("goes on", testCase([("test", GoesOn.test)])),
            Scenario("aftermath", testCase([("test", Aftermath.test)])),
            Scenario("stops on real", testCase([("test", StopsOnReal.test)])),
        ]
    }
}

final class Stops: RetryableTestCase {
    override func setUp() { continueAfterFailure = false }

    func test() throws {
        try flaky(.fixable(reason: "a race")) {
            if retryCount == 0 { try Self.fail() }
        }
        print("reached on attempt \(retryCount + 1)")
    }

    /// Fails and goes on, as an assertion does; could throw.
    private static func fail() throws { XCTFail("inside") }
}

final class StopsAtNext: RetryableTestCase {
    override func setUp() { continueAfterFailure = false }

    func test() throws {
        flaky(.fixable(reason: "cannot throw")) { XCTAssertGreaterThan(retryCount, 0) }
        try flaky(.fixable(reason: "can throw")) {
            _ = try XCTUnwrap(Optional(1))
            print("reached on attempt \(retryCount + 1)")
        }
    }
}

final class GoesOn: RetryableTestCase {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
        print("reached on attempt \(retryCount + 1)")
    }
}

final class Aftermath: RetryableTestCase {
    override func setUp() { continueAfterFailure = false }

    func test() {
        flaky(.fixable(reason: "cannot throw")) { XCTAssertGreaterThan(retryCount, 0, "the flake") }
        XCTAssertGreaterThan(retryCount, 0, "its aftermath")
    }
}

final class StopsOnReal: RetryableTestCase {
    override func setUp() { continueAfterFailure = false }

    func test() {
        XCTFail("one")
        XCTFail("two")
    }
}
