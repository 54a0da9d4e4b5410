import Retryable

extension Scenario {
    static var rounds: [Scenario] {
        [
            Scenario(
                "two classes",
                testCase([("test1", First.test1), ("test2", First.test2), ("testPasses", First.testPasses)]),
                testCase([("test1", Second.test1)]),
                testCase([("test", Untouched.test)])
            ),
            Scenario("thousand", (Passes.self, (1...1000).map { ("test\($0)", { test in Scenario.flakeOnce(test) }) })),
            Scenario("long", (Passes.self, [("test", { test in Scenario.flakeOften(test) })])),
            Scenario(
                "nobody hears",
                testCase([("testStep", Unheard.testStep), ("testFlakes", Unheard.testFlakes)])
            ),
            Scenario(
                "nobody reads",
                testCase([("testStep", LeftAlone.testStep), ("testFlakes", LeftAlone.testFlakes)])
            ),
            Scenario("crash", testCase([("test1", Crashes.test1), ("test2", Crashes.test2)])),
            Scenario("subclass", testCase([("testFlakes", Subclass.testFlakes)])),
        ]
    }

    private static func flakeOnce(_ test: XCTestCase) {
        guard let test = test as? RetryableTestCase else { return }
        test.flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(test.retryCount, 0) }
    }

    private static func flakeOften(_ test: XCTestCase) {
        guard let test = test as? RetryableTestCase else { return }
        test.flaky(.notFixable(reason: "a race", maxRetryCount: 2_000)) { XCTAssertEqual(test.retryCount, 2_000) }
    }
}

class First: RetryableTestCase {
    override class func setUp() { print("\(self) set up") }
    override class func tearDown() { print("\(self) torn down") }

    func test1() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { XCTAssertGreaterThan(retryCount, 1) }
    }

    func test2() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
    }

    func testPasses() {}
}

final class Second: First {}

final class Untouched: RetryableTestCase {
    override class func setUp() { print("\(self) set up") }
    override class func tearDown() { print("\(self) torn down") }

    func test() {}
}

class Inherited: RetryableTestCase {
    func testFlakes() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

class Intermediate: Inherited {}

final class Subclass: Intermediate {
    private var hasSetUp = false
    override func setUp() async throws { hasSetUp = true }

    override func testFlakes() {
        XCTAssertTrue(hasSetUp)
        super.testFlakes()
    }
}

final class Crashes: RetryableTestCase {
    func test1() {
        flaky(.fixable(reason: "a race")) { XCTFail("before the crash") }
    }

    func test2() { kill(getpid(), SIGKILL) }
}
