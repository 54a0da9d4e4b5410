import Foundation
import RetryCore
import XCTest

/// Hears the run begin and end: puts the retries behind everything else, and has the last word.
final class RetryObserver: NSObject, XCTestObservation {
    private static let registered: Void = XCTestObservationCenter.shared.addTestObserver(RetryObserver())
    private var hasBundle = false

    /// Registers the observer; later calls do nothing.
    static func register() {
        _ = registered
    }

    func testBundleWillStart(_ testBundle: Bundle) {
        hasBundle = true
        Ledger.shared.begin()
    }

    func testSuiteWillStart(_ testSuite: XCTestSuite) {
        guard RunningTests.start(testSuite) else { return }
        Ledger.shared.begin()
        Supervision.begin(testSuite, finish: hasBundle ? { Ledger.shared.finish() } : nil)
        // XCTest reads a suite's tests after it has told of its start, so this one is run as the last.
        testSuite.addTest(RetrySuite.make())
    }

    func testCaseWillStart(_ testCase: XCTestCase) {
        RunningTests.start(testCase)
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
        RunningTests.finish(testCase)
    }

    func testSuiteDidFinish(_ testSuite: XCTestSuite) {
        if RunningTests.isOutermost(testSuite) { retryLatecomers(of: testSuite) }
        guard RunningTests.finish(testSuite), !hasBundle else { return }
        Ledger.shared.finish()
    }

    /// Retries what flaked after the retry suite had run, or without one: a suite of somebody else's may run its tests
    /// in an order of its own. On Linux the exit code is read later, so it follows these as well.
    private func retryLatecomers(of outermost: XCTestSuite) {
        let suite = RetrySuite.make()
        suite.run()
        if let run = suite.testRun { (outermost.testRun as? XCTestSuiteRun)?.addTestRun(run) }
    }

    func testBundleDidFinish(_ testBundle: Bundle) {
        Ledger.shared.finish()
    }
}
