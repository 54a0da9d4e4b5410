import Retryable

extension Scenario {
    static var errors: [Scenario] {
        [
            Scenario("error leaves", testCase([("test", ErrorLeaves.test)])),
            Scenario("error leaves async", testCase([("test", ErrorLeavesAsync.asyncTest(ErrorLeavesAsync.test))])),
            Scenario("error caught", testCase([("test", ErrorCaught.test)])),
            Scenario("equal error thrown outside", testCase([("test", EqualErrorOutside.test)])),
            Scenario("error logged and rethrown", testCase([("test", ErrorRethrown.test)])),
            Scenario("error leaves two sections", testCase([("test", ErrorLeavesTwo.test)])),
            Scenario("error from outside", testCase([("test", ErrorOutside.test)])),
            Scenario("second call in setUp", testCase([("test", SecondCallInSetUp.test)])),
            Scenario("second call in tearDown", testCase([("test", SecondCallInTearDown.test)])),
            Scenario("words added to an error in setUp", testCase([("test", AddsWords.test)])),
            Scenario("assertion above a section that threw the same", testCase([("test", SameErrorInAssertion.test)])),
            Scenario("error in an assertion, in an outer section", testCase([("test", SameErrorInOuter.test)])),
            Scenario("inner section used up, in an assertion", testCase([("test", InnerUsedUp.test)])),
            Scenario("error with the words of a stop", testCase([("test", WordsOfAStop.test)])),
            Scenario("error of an earlier attempt", testCase([("test", SharedFixture.test)])),
            Scenario(
                "error of an earlier attempt's task",
                testCase([("test", SharedTask.asyncTest(SharedTask.test))])
            ),
            Scenario("error in an async setUp", testCase([("test", ErrorInAsyncSetUp.test)])),
            Scenario("second call in an async setUp", testCase([("test", SecondCallInAsyncSetUp.test)])),
            Scenario(
                "error of an earlier attempt, with retries left",
                testCase([("test", SharedFixture.testOften)])
            ),
            Scenario(
                "error of an earlier test",
                testCase([("test1", SharedByTests.test1), ("test2", SharedByTests.test2)])
            ),
            Scenario("unwrap", testCase([("test", Unwrap.test)])),
            Scenario("unwrap outside", testCase([("test", UnwrapOutside.test)])),
            Scenario("unwaited expectation", testCase([("test", Unwaited.test)])),
            Scenario("unwaited expectation, not cut", testCase([("test", UnwaitedNotCut.test)])),
        ]
    }
}

final class ErrorLeaves: RetryableTestCase {
    func test() throws {
        let box = ErrorBox()
        do {
            try flaky(.fixable(reason: "a race")) {
                if retryCount == 0 { throw box }
            }
        } catch let error as ErrorBox {
            print("the very error: \(error === box)")
            throw error
        }
        print("reached on attempt \(retryCount + 1)")
    }
}

private final class ErrorBox: Error, CustomStringConvertible {
    let description = "a box"
}

final class ErrorLeavesAsync: RetryableTestCase {
    func test() async throws {
        try await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            if retryCount == 0 { throw Boom() }
        }
    }
}

final class ErrorCaught: RetryableTestCase {
    func test() {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
    }
}

final class EqualErrorOutside: RetryableTestCase {
    func test() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
        throw Boom()
    }
}

final class ErrorRethrown: RetryableTestCase {
    func test() throws {
        do {
            try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
        } catch {
            print("logged: \(error)")
            throw error
        }
    }
}

final class ErrorLeavesTwo: RetryableTestCase {
    func test() throws {
        try flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
            try flaky(.fixable(reason: "inner")) {
                if retryCount < 2 { throw Boom() }
            }
        }
    }
}

final class ErrorOutside: RetryableTestCase {
    func test() throws {
        flaky(.fixable(reason: "a race")) {}
        throw Boom()
    }
}

final class Unwrap: RetryableTestCase {
    func test() throws {
        let value = try flaky(.fixable(reason: "a race"), try XCTUnwrap(retryCount == 0 ? nil : 1, "no value"))
        XCTAssertEqual(value, 1)
    }
}

final class UnwrapOutside: RetryableTestCase {
    func test() throws {
        flaky(.fixable(reason: "a race")) {}
        _ = try XCTUnwrap(nil as Int?, "no value")
    }
}

final class Unwaited: RetryableTestCase {
    func test() throws {
        let expectation = expectation(description: "never waited for")
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
        expectation.fulfill()
        wait(for: [expectation], timeout: 1)
    }
}

final class UnwaitedNotCut: RetryableTestCase {
    func test() {
        _ = expectation(description: "never waited for")
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

// MARK: - Errors that are known by their text

final class SecondCallInSetUp: RetryableTestCase {
    override func setUpWithError() throws {
        try? flaky(.fixable(reason: "a race")) { throw Boom() }
        if retryCount == 0 { throw Boom() }
    }

    func test() {}
}

final class ErrorInAsyncSetUp: RetryableTestCase {
    override func setUp() async throws {
        try await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            if retryCount == 0 { throw Boom() }
        }
    }

    func test() {}
}

final class SecondCallInAsyncSetUp: RetryableTestCase {
    override func setUp() async throws {
        do {
            try await flaky(.fixable(reason: "a race")) {
                await Task.yield()
                throw Boom()
            }
        } catch {}
        if retryCount == 0 { throw Boom() }
    }

    func test() {}
}

final class SecondCallInTearDown: RetryableTestCase {
    func test() {}

    override func tearDownWithError() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch { print("caught: \(error)") }
        if retryCount == 0 { throw Boom() }
    }
}

/// Adds words of its own to all that fails.
final class AddsWords: RetryableTestCase {
    override func setUpWithError() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    func test() {}

    override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        super.recordFailure(
            withDescription: "on my machine: \(description)",
            inFile: filePath,
            atLine: lineNumber,
            expected: expected
        )
    }
}

final class SameErrorInAssertion: RetryableTestCase {
    func test() {
        prepare()
        XCTAssertEqual(try failOnce(), 3, "outside every section")
    }

    private func failOnce() throws -> Int {
        if retryCount == 0 { throw Boom() }
        return 3
    }

    private func prepare() { try? flaky(.fixable(reason: "a race")) { throw Boom() } }
}

final class SameErrorInOuter: RetryableTestCase {
    func test() throws {
        try flaky(.fixable(reason: "outer")) {
            XCTAssertEqual(try callTwice(), 3, "the second call's")
        }
    }

    private func callTwice() throws -> Int {
        try? flaky(.fixable(reason: "inner")) { throw Boom() }
        if retryCount == 0 { throw Boom() }
        return 3
    }
}

final class InnerUsedUp: RetryableTestCase {
    func test() throws {
        try flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
            XCTAssertEqual(
                try flaky(.fixable(reason: "inner")) { () throws -> Int in
                    if retryCount < 2 { throw Boom() }
                    return 3
                },
                3
            )
        }
    }
}

/// Throws an error of its own that says what `flaky` says when it stops a test.
final class WordsOfAStop: RetryableTestCase {
    private struct Imitation: Error, CustomStringConvertible {
        var description: String { "the test has flaked and continueAfterFailure is false" }
    }

    func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
    }

    override func tearDownWithError() throws {
        if retryCount == 0 { throw Imitation() }
    }
}

// MARK: - Errors that are recorded once

/// What its tests need is made once, by whichever comes first.
final class SharedFixture: RetryableTestCase {
    private static let fixture = Result { try XCTUnwrap(nil as Int?, "no fixture") }

    func test() throws {
        let value = try flaky(.fixable(reason: "slow")) { try Self.fixture.get() }
        XCTAssertEqual(value, 1)
    }

    func testOften() throws {
        let value = try flaky(.notFixable(reason: "slow", maxRetryCount: 2)) { try Self.fixture.get() }
        XCTAssertEqual(value, 1)
    }
}

final class SharedTask: RetryableTestCase {
    private static let fixture = Task { try XCTUnwrap(nil as Int?, "no fixture") }

    func test() async throws {
        let value = try await flaky(.fixable(reason: "slow")) { try await Self.fixture.value }
        XCTAssertEqual(value, 1)
    }
}

final class SharedByTests: RetryableTestCase {
    private static let fixture = Result { try XCTUnwrap(nil as Int?, "no fixture") }

    func test1() throws { _ = try Self.fixture.get() }

    func test2() throws { _ = try Self.fixture.get() }
}
