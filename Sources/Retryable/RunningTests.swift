import Groundwork
import RetryCore
import XCTest

/// The suites and test cases that are running, outermost first.
enum RunningTests {
    private struct State {
        var suites: [XCTest] = []
        var cases: [XCTest] = []
    }

    private static let state = Locked(State())

    /// - Returns: Whether the suite is the outermost.
    static func start(_ suite: XCTestSuite) -> Bool {
        state.withLock { state in
            state.suites.append(suite)
            return state.suites.count == 1
        }
    }

    static func isOutermost(_ suite: XCTestSuite) -> Bool {
        state.withLock { $0.suites.first === suite }
    }

    /// - Returns: Whether the suite was the outermost.
    static func finish(_ suite: XCTestSuite) -> Bool {
        state.withLock { state in
            state.suites.removeFrom(suite)
            return state.suites.isEmpty
        }
    }

    static func start(_ test: XCTestCase) {
        state.withLock { $0.cases.append(test) }
    }

    static func finish(_ test: XCTestCase) {
        state.withLock { $0.cases.removeFrom(test) }
    }

    /// The names of the tests that have begun and not ended; of suites, if no test is running.
    static var unfinished: [String] {
        let (suites, cases) = state.withLock { ($0.suites, $0.cases) }
        return (cases.isEmpty ? suites : cases).suffix(1).map(\.name)
    }

    /// Whether `test` is run by a suite, and not by another test. Only then can it be run again after everything else.
    ///
    /// The suite's list of tests does not tell, because XCTest may run other instances than those in it.
    static func contain(_ test: XCTestCase) -> Bool {
        state.withLock { !$0.suites.isEmpty && $0.cases.count == 1 && $0.cases.first === test }
    }
}

extension [XCTest] {
    /// Removes the last `element`, and all that began after it, whose ends were not reported.
    fileprivate mutating func removeFrom(_ element: XCTest) {
        if let index = lastIndex(where: { $0 === element }) { removeSubrange(index...) }
    }
}
