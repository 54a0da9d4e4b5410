#if !canImport(ObjectiveC)
    import RetryCore
    import XCTest

    /// Hears the run begin and end: puts the retries behind everything else, and has the last word.
    final class RetryObserver: NSObject, XCTestObservation {
        private static let registered: Void = XCTestObservationCenter.shared.addTestObserver(RetryObserver())
        private var hasBundle = false

        /// Makes XCTest call; cheap to call again.
        static func register() {
            _ = registered
        }

        func testBundleWillStart(_ testBundle: Bundle) {
            hasBundle = true
            Ledger.shared.begin()
        }

        func testSuiteWillStart(_ testSuite: XCTestSuite) {
            guard RunningSuites.start(testSuite) else { return }
            Ledger.shared.begin()
            // XCTest reads a suite's tests after it has told of its start, so this one is run as the last.
            testSuite.addTest(RetrySuite())
        }

        func testSuiteDidFinish(_ testSuite: XCTestSuite) {
            guard RunningSuites.finish(testSuite), !hasBundle else { return }
            Ledger.shared.finish()
        }

        func testBundleDidFinish(_ testBundle: Bundle) {
            Ledger.shared.finish()
        }
    }
#endif
