import Foundation
import RetryCore
import RetryReport
import XCTest

/// Hears the run begin and end: adds the retries after everything else, and has the summary written.
final class RetryObserver: NSObject, XCTestObservation {
    private static let registered: Void = XCTestObservationCenter.shared.addTestObserver(RetryObserver())
    private static let watchesExit: Void = EarlyExit.watch { TestsInProgress.unfinished }
    private var hasBundle = false

    /// Registers the observer; later calls do nothing.
    static func register() {
        _ = registered
    }

    func testBundleWillStart(_ testBundle: Bundle) {
        hasBundle = true
        ProcessRun.shared.begin()
    }

    func testSuiteWillStart(_ testSuite: XCTestSuite) {
        guard TestsInProgress.start(testSuite) else { return }
        ProcessRun.shared.begin()
        // XCTest reads a suite's tests after this call, so the added suite runs as the last one.
        testSuite.addTest(RetrySuite.make())
        Supervision.begin(testSuite, finish: hasBundle ? { ProcessRun.shared.finish() } : nil)
        // In a supervised process, the parent decides what its end means.
        if SharedRun.current == nil { _ = Self.watchesExit }
    }

    func testCaseWillStart(_ testCase: XCTestCase) {
        TestsInProgress.start(testCase)
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
        TestsInProgress.finish(testCase)
    }

    func testSuiteDidFinish(_ testSuite: XCTestSuite) {
        if TestsInProgress.isOutermost(testSuite), let run = testSuite.testRun as? XCTestSuiteRun {
            retryLatecomers(in: run)
            failPending(in: run)
        }
        guard TestsInProgress.finish(testSuite), !hasBundle else { return }
        ProcessRun.shared.finish()
    }

    /// Retries what flaked after the retry suite had run, or without one, because a user's own suite may run its tests in
    /// another order. On Linux the exit code is read later, so it includes these retries.
    private func retryLatecomers(in outermost: XCTestSuiteRun) {
        let suite = RetrySuite.make()
        suite.run()
        if let run = suite.testRun { outermost.addTestRun(run) }
    }

    /// Fails tests that flaked and were never concluded, because a subclass ran them in a way of its own.
    private func failPending(in outermost: XCTestSuiteRun) {
        let pending = ProcessRun.shared.report.pending.filter(\.isOfXCTest)
        guard !pending.isEmpty else { return }
        for retry in pending {
            log("\(retry.name) flaked, and the run ends without a retry of it: it has failed")
            ProcessRun.shared.report.fail(retry)
        }
        let run = RetrySuiteRun(test: RetrySuite.make())
        run.totals.failures = pending.count
        outermost.addTestRun(run)
    }

    func testBundleDidFinish(_ testBundle: Bundle) {
        ProcessRun.shared.finish()
    }
}

extension FlakyTest {
    /// Whether it is a test of XCTest; one process may run tests of both frameworks.
    fileprivate var isOfXCTest: Bool { name.hasPrefix("-[") }
}
