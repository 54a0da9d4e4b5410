import Retryable

class First: RetryableTestCase {
    override class var testMethods: TestMethods {
        [("test1", .sync(First.test1)), ("test2", .sync(First.test2))]
    }

    override class func setUp() { print("\(self) set up") }
    override class func tearDown() { print("\(self) torn down") }

    func test1() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { XCTAssertTrue(retryCount > 1) }
    }

    func test2() {
        flaky(.fixable(reason: "a race")) { XCTAssertTrue(retryCount > 0) }
    }
}

final class Second: First {
    override class var testMethods: TestMethods { [("test2", .sync(Second.test2))] }
}

final class ManyRounds: SyncTest {
    override func test() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 200)) { XCTAssertTrue(retryCount == 200) }
    }
}

/// Runs a test, and a suite, whose results are its own affair.
final class ByHand: RetryableTestCase {
    override class var testMethods: TestMethods {
        [("testFlakes", .sync(ByHand.testFlakes)), ("testRuns", .sync(ByHand.testRuns))]
    }

    func testFlakes() {
        flaky(.fixable(reason: "a race")) { XCTAssertTrue(retryCount > 0) }
    }

    func testRuns() {
        let test = Exhausted(selector: Selector("test"))
        test.run()
        let suite = XCTestSuite(name: "By hand")
        suite.addTest(Exhausted(selector: Selector("test")))
        suite.run()
        print("by hand: \(test.testRun?.totalFailureCount ?? 0), \(suite.testRun?.totalFailureCount ?? 0) failures")
    }
}
