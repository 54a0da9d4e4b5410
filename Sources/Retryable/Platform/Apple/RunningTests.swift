#if canImport(ObjectiveC)
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

        static func start(_ suite: XCTestSuite) {
            state.withLock { $0.suites.append(ObjectIdentifier(suite)) }
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

        /// Whether a test is running, so that whatever else runs is that test's affair.
        static var haveCase: Bool { state.withLock { !$0.cases.isEmpty } }

        /// Whether `test` is run by a suite, and not by some other test: then it can be run again when the suite ends.
        ///
        /// A suite's own list of tests is not asked, because XCTest may run other instances than those that stand in it.
        static func contain(_ test: XCTestCase) -> Bool {
            state.withLock { !$0.suites.isEmpty && $0.cases == [ObjectIdentifier(test)] }
        }
    }

    extension [ObjectIdentifier] {
        /// Removes the last `element`, and all that began after it and never told of its end.
        fileprivate mutating func removeFrom(_ element: ObjectIdentifier) {
            guard let index = lastIndex(of: element) else { return }
            removeSubrange(index...)
        }
    }
#endif
