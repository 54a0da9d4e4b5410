import Groundwork
import RetryCore
import XCTest

/// What is running: suites and test cases, outermost first.
enum RunningTests {
    private struct State {
        var suites: [ObjectIdentifier] = []
        var cases: [ObjectIdentifier] = []
    }

    private static let state = Locked(State())

    /// - Returns: Whether the suite is the outermost.
    static func start(_ suite: XCTestSuite) -> Bool {
        state.withLock { state in
            state.suites.append(ObjectIdentifier(suite))
            return state.suites.count == 1
        }
    }

    static func isOutermost(_ suite: XCTestSuite) -> Bool {
        state.withLock { $0.suites.first == ObjectIdentifier(suite) }
    }

    /// - Returns: Whether the suite was the outermost.
    static func finish(_ suite: XCTestSuite) -> Bool {
        state.withLock { state in
            state.suites.removeFrom(ObjectIdentifier(suite))
            return state.suites.isEmpty
        }
    }

    static func start(_ test: XCTestCase) {
        state.withLock { $0.cases.append(ObjectIdentifier(test)) }
    }

    static func finish(_ test: XCTestCase) {
        state.withLock { $0.cases.removeFrom(ObjectIdentifier(test)) }
    }

    /// Whether `test` is run by a suite, and not by some other test: then it can be run again when everything else has
    /// run. What a test runs by hand, alone or in a suite, is that test's affair.
    ///
    /// A suite's own list of tests is not asked, because XCTest may run other instances than those that stand in it.
    static func contain(_ test: XCTestCase) -> Bool {
        state.withLock { !$0.suites.isEmpty && $0.cases == [ObjectIdentifier(test)] }
    }
}

extension [ObjectIdentifier] {
    /// Removes the last `element`, and all that began after it and never told of its end.
    fileprivate mutating func removeFrom(_ element: ObjectIdentifier) {
        if let index = lastIndex(of: element) { removeSubrange(index...) }
    }
}
