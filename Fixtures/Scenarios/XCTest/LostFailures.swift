import Dispatch
import Retryable

// Ways in which a failure could be lost between a flake and its retry; a green run of any of these hides one.
extension Scenario {
    static var lostFailures: [Scenario] {
        [
            Scenario("flake, then an error in tearDown", testCase([("test", ErrorInTearDown.test)])),
            Scenario("flake, then an error in a teardown block", testCase([("test", ErrorInTeardownBlock.test)])),
            Scenario("flake, then an assertion in tearDown", testCase([("test", AssertionInTearDown.test)])),
            Scenario("flake, then an error outside", testCase([("test", FlakeThenErrorOutside.test)])),
            Scenario("same error in setUp and tearDown", testCase([("test", SameErrorTwice.test)])),
            Scenario("flake in setUp, unwaited expectation", testCase([("test", UnwaitedAfterSetUp.test)])),
            Scenario("retry that runs nothing", testCase([("test", RunsNothing.test)])),
            Scenario("retry that is not performed", testCase([("test", PerformsNothing.test)])),
            Scenario("failure behind invokeTest", testCase([("test", FailsBehindInvokeTest.test)])),
            Scenario("nested bad mark", testCase([("test", NestedBadMark.test)])),
            Scenario("bad mark on another instance", testCase([("test", BadMarkOnAnother.test)])),
            Scenario("failure after the end", testCase([("test1", Late.test1), ("test2", Late.test2)])),
            Scenario("an earlier error rethrown", testCase([("test", EarlierError.test)])),
            Scenario("error in an assertion", testCase([("test", ErrorInAssertion.test)])),
            Scenario("section in tearDown after a stop", testCase([("test", SectionAfterStop.test)])),
            Scenario(
                "listed twice",
                (
                    FailsWhenFirst.self,
                    [
                        ("test", { try ($0 as? FailsWhenFirst)?.test() }),
                        ("test", { try ($0 as? FailsWhenFirst)?.test() }),
                    ]
                )
            ),
            Scenario("stop in setUp", testCase([("test", StopInSetUp.test)])),
            Scenario("suite that runs half") { HalfSuite.make() },
            Scenario("measure", testCase([("test", Measures.test)])),
            Scenario("plain measure", testCase([("test", PlainMeasures.test)])),
        ]
    }
}

private struct Other: Error, CustomStringConvertible {
    var description: String { "Other" }
}

final class ErrorInTearDown: RetryableTestCase {
    func test() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    override func tearDownWithError() throws {
        if retryCount == 0 { throw Other() }
    }
}

final class ErrorInTeardownBlock: RetryableTestCase {
    func test() throws {
        let isFirst = retryCount == 0
        addTeardownBlock { if isFirst { throw Other() } }
        try flaky(.fixable(reason: "a race")) { if isFirst { throw Boom() } }
    }
}

final class AssertionInTearDown: RetryableTestCase {
    func test() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    override func tearDown() { XCTAssertGreaterThan(retryCount, 0, "in tearDown") }
}

final class FlakeThenErrorOutside: RetryableTestCase {
    func test() throws {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
        if retryCount == 0 { throw Boom() }
    }
}

final class SameErrorTwice: RetryableTestCase {
    override func setUpWithError() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    func test() {}

    override func tearDownWithError() throws {
        if retryCount == 0 { throw Boom() }
    }
}

final class UnwaitedAfterSetUp: RetryableTestCase {
    override func setUpWithError() throws {
        let expectation = expectation(description: "never waited for")
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
        expectation.fulfill()
        wait(for: [expectation], timeout: 1)
    }

    func test() {}
}

final class RunsNothing: RetryableTestCase {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTFail("always") }
    }

    override func invokeTest() {
        if retryCount == 0 { super.invokeTest() }
    }
}

final class PerformsNothing: RetryableTestCase {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTFail("always") }
    }

    override func perform(_ run: XCTestRun) {
        if retryCount == 0 { super.perform(run) }
    }
}

final class FailsBehindInvokeTest: RetryableTestCase {
    func test() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    override func invokeTest() {
        super.invokeTest()
        if retryCount == 0 { XCTFail("a leak") }
    }
}

final class NestedBadMark: RetryableTestCase {
    func test() {
        flaky(.notFixable(reason: "outer", maxRetryCount: 5)) {
            flaky(.fixable(reason: "")) { XCTFail("inside") }
        }
    }
}

final class BadMarkOnAnother: RetryableTestCase {
    func test() {
        let other = BadMarkOnAnother(name: "test") { _ in }
        other.flaky(.fixable(reason: "")) {}
    }
}

final class Late: RetryableTestCase {
    nonisolated(unsafe) private static var fail: (() -> Void)?
    private static let ended = DispatchSemaphore(value: 0)

    func test1() {
        nonisolated(unsafe) let test = self
        let (opened, proceed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Self.fail = {
            proceed.signal()
            Self.ended.wait()
        }
        Thread.detachNewThread {
            test.flaky(.fixable(reason: "a race")) {
                opened.signal()
                proceed.wait()
                test.recordFailure(withDescription: "late", inFile: #filePath, atLine: #line, expected: true)
            }
            Self.ended.signal()
        }
        opened.wait()
    }

    func test2() { Self.fail?() }
}

final class EarlierError: RetryableTestCase {
    func test() throws {
        do {
            try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
        } catch {
            do { try flaky(.fixable(reason: "cleans up")) { throw Other() } } catch {}
            throw error
        }
    }
}

final class ErrorInAssertion: RetryableTestCase {
    func test() {
        XCTAssertEqual(
            try flaky(.fixable(reason: "a race")) { () throws -> Int in
                if retryCount == 0 { throw Boom() }
                return 3
            },
            3
        )
    }
}

final class SectionAfterStop: RetryableTestCase {
    override func setUp() { continueAfterFailure = false }

    func test() throws {
        try flaky(.fixable(reason: "a race")) {
            XCTAssertGreaterThan(retryCount, 0)
            _ = try XCTUnwrap(Optional(1))
        }
    }

    override func tearDownWithError() throws {
        try flaky(.fixable(reason: "slow")) {
            _ = try XCTUnwrap(Optional(1))
            print("cleaned up after attempt \(retryCount + 1)")
        }
    }
}

final class FailsWhenFirst: RetryableTestCase {
    nonisolated(unsafe) private static var count = 0

    func test() throws {
        Self.count += 1
        let number = Self.count
        // The retry of the one fails, that of the other passes.
        flaky(.fixable(reason: "a race")) { XCTAssertEqual(number, 4) }
    }
}

final class StopInSetUp: RetryableTestCase {
    override func setUpWithError() throws {
        continueAfterFailure = false
        try flaky(.fixable(reason: "a race")) {
            XCTAssertGreaterThan(retryCount, 0, "the flake")
            _ = try XCTUnwrap(Optional(1))
        }
    }

    func test() {}
}

/// Runs the first of its tests, and none that was appended to it.
final class HalfSuite: XCTestSuite {
    static func make() -> XCTestSuite {
        let suite = HalfSuite(name: "Half")
        suite.addTest(NeverPasses(name: "testFails") { ($0 as? NeverPasses)?.testFails() })
        return suite
    }

    override func perform(_ run: XCTestRun) {
        run.start()
        if let first = tests.first {
            first.run()
            if let firstRun = first.testRun { (run as? XCTestSuiteRun)?.addTestRun(firstRun) }
        }
        run.stop()
    }
}

final class Measures: RetryableTestCase {
    func test() {
        continueAfterFailure = false
        measure { XCTFail("measured") }
    }
}

final class PlainMeasures: XCTestCase {
    func test() {
        continueAfterFailure = false
        measure { XCTFail("measured") }
    }
}
