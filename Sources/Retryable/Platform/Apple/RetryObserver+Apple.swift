#if canImport(ObjectiveC)
    import RetryCore
    import XCTest

    /// Hears what runs: retries what flaked in a suite when the suite ends, and has the last word.
    final class RetryObserver: NSObject, XCTestObservation {
        private static let registered: Void = XCTestObservationCenter.shared.addTestObserver(RetryObserver())
        private var hasBundle = false
        private var hasMoreToSay = false

        /// Makes XCTest call; cheap to call again.
        static func register() {
            _ = registered
        }

        func testBundleWillStart(_ testBundle: Bundle) {
            hasBundle = true
            Ledger.shared.begin()
        }

        func testSuiteWillStart(_ testSuite: XCTestSuite) {
            Ledger.shared.begin()
            hasMoreToSay = true
            RunningTests.start(testSuite)
        }

        func testCaseWillStart(_ testCase: XCTestCase) {
            RunningTests.start(testCase)
        }

        func testCaseDidFinish(_ testCase: XCTestCase) {
            RunningTests.finish(testCase)
        }

        func testSuiteDidFinish(_ testSuite: XCTestSuite) {
            let wasOutermost = RunningTests.finish(testSuite)
            // A suite of ours has a loop around it, and one that a test runs by hand is that test's affair.
            guard !(testSuite is RetryClassSuite), !RunningTests.haveCase else { return }
            RetryQueue.runRounds(beginningWith: RetryQueue.takeRound(), in: testSuite.testRun as? XCTestSuiteRun)
            if wasOutermost, !hasBundle { finish() }
        }

        func testBundleDidFinish(_ testBundle: Bundle) {
            finish()
        }

        private func finish() {
            guard hasMoreToSay else { return }
            hasMoreToSay = false
            Ledger.shared.finish()
        }
    }
#endif
