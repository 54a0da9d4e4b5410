#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import XCTest

    /// The suites that are running, outermost first.
    enum RunningSuites {
        private struct State {
            var suites: [XCTestSuite] = []
            /// The tests of the innermost suite, once somebody asked for them.
            var members: Set<ObjectIdentifier>?
        }

        private static let state = Locked(State())

        /// - Returns: Whether the suite is the outermost.
        static func start(_ suite: XCTestSuite) -> Bool {
            state.withLock { state in
                state.suites.append(suite)
                state.members = nil
                return state.suites.count == 1
            }
        }

        static func isOutermost(_ suite: XCTestSuite) -> Bool {
            state.withLock { $0.suites.first === suite }
        }

        /// - Returns: Whether the suite was the outermost.
        static func finish(_ suite: XCTestSuite) -> Bool {
            state.withLock { state in
                state.suites.removeAll { $0 === suite }
                state.members = nil
                return state.suites.isEmpty
            }
        }

        /// Whether `test` is run by the suites that run: then it can be run again at the end of the outermost one.
        ///
        /// A test that some other test runs by hand cannot, alone or in a suite: its result is that test's affair.
        static func contain(_ test: XCTest) -> Bool {
            state.withLock { state in
                if state.members == nil { state.members = members(of: state.suites) }
                return state.members?.contains(ObjectIdentifier(test)) ?? false
            }
        }

        private static func members(of suites: [XCTestSuite]) -> Set<ObjectIdentifier> {
            guard let innermost = suites.last else { return [] }
            for (outer, inner) in zip(suites, suites.dropFirst()) where !outer.tests.contains(where: { $0 === inner }) {
                return []
            }
            return Set(innermost.tests.map(ObjectIdentifier.init))
        }
    }
#endif
