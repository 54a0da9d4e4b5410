import Retryable

extension Scenario {
    static var sections: [Scenario] {
        [
            Scenario("passes", testCase([("testPasses", Passes.testPasses)])),
            Scenario("changes the working directory", testCase([("testFlakes", FlakesElsewhere.testFlakes)])),
            Scenario(
                "flakes once",
                testCase([("testFlakes", FlakesOnce.testFlakes), ("testPasses", FlakesOnce.testPasses)])
            ),
            Scenario("never passes", testCase([("testFails", NeverPasses.testFails)])),
            Scenario("fails outside", testCase([("testFails", FailsOutside.testFails)])),
            Scenario("nested", testCase([("testNested", Nested.testNested)])),
            Scenario("retries used up", testCase([("testUsesUp", UsesUp.testUsesUp)])),
            Scenario("flake then real", testCase([("test", FlakeThenReal.test)])),
            Scenario("real then flake", testCase([("test", RealThenFlake.test)])),
            Scenario("run by hand", testCase([("test", RunsAnotherByHand.test)])),
            Scenario("plain", testCase([("testFails", Plain.testFails), ("testPasses", Plain.testPasses)])),
            Scenario(
                "retryable plain",
                testCase([("testFails", RetryablePlain.testFails), ("testPasses", RetryablePlain.testPasses)])
            ),
        ]
    }
}

final class Passes: RetryableTestCase {
    func testPasses() {
        flaky(.fixable(reason: "never does")) { XCTAssertTrue(true) }
    }
}

final class FlakesOnce: RetryableTestCase {
    func testFlakes() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0, "too early") }
    }

    func testPasses() {}
}

final class FlakesElsewhere: RetryableTestCase {
    func testFlakes() {
        XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(NSTemporaryDirectory()))
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0, "too early") }
    }
}

final class NeverPasses: RetryableTestCase {
    func testFails() {
        flaky(.notFixable(reason: "always", maxRetryCount: 2)) { XCTFail("attempt \(retryCount + 1)") }
    }
}

final class FailsOutside: RetryableTestCase {
    func testFails() {
        flaky(.fixable(reason: "not this part")) { XCTAssertTrue(true) }
        XCTFail("outside")
    }
}

final class Nested: RetryableTestCase {
    func testNested() {
        flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
            flaky(.fixable(reason: "inner")) { XCTAssertGreaterThan(retryCount, 1) }
        }
    }
}

final class UsesUp: RetryableTestCase {
    func testUsesUp() {
        flaky(.notFixable(reason: "may not be retried", maxRetryCount: 0)) { XCTFail("inside") }
    }
}

final class FlakeThenReal: RetryableTestCase {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTFail("inside") }
        XCTFail("outside")
    }
}

final class RealThenFlake: RetryableTestCase {
    func test() {
        XCTFail("outside")
        flaky(.fixable(reason: "a race")) { XCTFail("inside") }
    }
}

/// Runs a test that no suite runs, and reports its result.
final class RunsAnotherByHand: XCTestCase {
    func test() {
        let test = NeverPasses(name: "testFails") { ($0 as? NeverPasses)?.testFails() }
        test.run()
        print("by hand: \(test.testRun?.totalFailureCount ?? -1) failures")
    }
}

/// The same body on both classes: without a flake, nothing tells them apart.
final class Plain: XCTestCase {
    override func setUp() { print("setUp") }
    func testFails() throws { try Body.fail() }
    func testPasses() {}
}

final class RetryablePlain: RetryableTestCase {
    override func setUp() { print("setUp") }
    func testFails() throws { try Body.fail() }
    func testPasses() {}
}

private enum Body {
    static func fail() throws {
        XCTAssertEqual(1, 2, "not equal")
        throw Boom()
    }
}
