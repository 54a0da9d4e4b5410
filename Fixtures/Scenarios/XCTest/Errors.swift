import Retryable

extension Scenario {
    static var errors: [Scenario] {
        [
            Scenario("error leaves", testCase([("test", ErrorLeaves.test)])),
            Scenario("error leaves async", testCase([("test", asyncTest(ErrorLeavesAsync.test))])),
            Scenario("error caught", testCase([("test", ErrorCaught.test)])),
            Scenario("equal error thrown outside", testCase([("test", EqualErrorOutside.test)])),
            Scenario("error logged and rethrown", testCase([("test", ErrorRethrown.test)])),
            Scenario("error leaves two sections", testCase([("test", ErrorLeavesTwo.test)])),
            Scenario("error from outside", testCase([("test", ErrorOutside.test)])),
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
