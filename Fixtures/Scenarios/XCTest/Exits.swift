import Retryable

// Tests that end the process, or that never end themselves.
extension Scenario {
    static var exits: [Scenario] {
        [
            Scenario(
                "exit in a test",
                testCase([("test1", Exits.test1), ("test2", Exits.test2), ("test3", Exits.test3)])
            ),
            Scenario("exit in a retry", testCase([("test", ExitsOnRetry.test)])),
            Scenario("exit with a code", testCase([("test", ExitsWithCode.test)])),
            Scenario("exit in a class's tearDown", testCase([("test", ExitsInTearDown.test)])),
            Scenario("exit in a class's setUp", testCase([("test", ExitsInSetUp.test)])),
            Scenario("exit in a class's setUp, before a retry", testCase([("test", ExitsWhenSetUpAgain.test)])),
            Scenario("exit in an async test", testCase([("test", ExitsInTask.asyncTest(ExitsInTask.test))])),
            Scenario("exit on another thread", testCase([("test", ExitsOnThread.test)])),
            Scenario("exit in a child", testCase([("test", ForksAndExits.test)])),
            Scenario("never concluded", testCase([("test", NeverConcluded.test)])),
        ]
    }
}

final class Exits: RetryableTestCase {
    func test1() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
    }

    func test2() { exit(0) }

    func test3() { print("reached") }
}

final class ExitsOnRetry: RetryableTestCase {
    func test() {
        flaky(.fixable(reason: "a race")) {
            if retryCount > 0 { exit(0) }
            XCTFail("the flake")
        }
    }
}

final class ExitsWithCode: RetryableTestCase {
    func test() { exit(7) }
}

final class ExitsInTearDown: RetryableTestCase {
    override class func tearDown() { exit(0) }

    func test() {}
}

final class ExitsInSetUp: RetryableTestCase {
    override class func setUp() { exit(0) }

    func test() {}
}

final class ExitsWhenSetUpAgain: RetryableTestCase {
    nonisolated(unsafe) private static var isAgain = false

    override class func setUp() {
        if isAgain { exit(0) }
        isAgain = true
    }

    func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

final class ExitsInTask: RetryableTestCase {
    func test() async {
        await Task.yield()
        exit(0)
    }
}

final class ExitsOnThread: RetryableTestCase {
    func test() {
        Thread.detachNewThread { exit(0) }
        while true { pause() }
    }
}

/// Forks a process of its own that exits, as some code under test does.
final class ForksAndExits: RetryableTestCase {
    func test() {
        let child = fork()
        if child == 0 { exit(0) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        XCTAssertEqual(status, 0)
    }
}

/// Is performed by means of its own, and its run is never stopped.
final class NeverConcluded: RetryableTestCase {
    func test() throws {
        try flaky(.fixable(reason: "a race")) { throw Boom() }
    }

    override func perform(_ run: XCTestRun) {
        run.start()
        invokeTest()
    }
}
