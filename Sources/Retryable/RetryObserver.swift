import Foundation
import RetryCore
import RetryReport
import XCTest

/// Hears the run begin and end: adds the retries after everything else, and has the summary written.
final class RetryObserver: NSObject, XCTestObservation {
    private static let registered: Void = XCTestObservationCenter.shared.addTestObserver(RetryObserver())
    private static let watchesExit: Void = EarlyExit.watch { RunningTests.unfinished }
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
        guard RunningTests.start(testSuite) else { return }
        ProcessRun.shared.begin()
        // XCTest reads a suite's tests after it has told of its start, so this one is run as the last.
        testSuite.addTest(RetrySuite.make())
        Supervision.begin(testSuite, finish: hasBundle ? { ProcessRun.shared.finish() } : nil)
        // Who supervises this process knows better than it does how it ends.
        if RunWitnesses.current == nil { _ = Self.watchesExit }
    }

    func testCaseWillStart(_ testCase: XCTestCase) {
        RunningTests.start(testCase)
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
        RunningTests.finish(testCase)
    }

    func testSuiteDidFinish(_ testSuite: XCTestSuite) {
        if RunningTests.isOutermost(testSuite), let run = testSuite.testRun as? XCTestSuiteRun {
            retryLatecomers(in: run)
            failPending(in: run)
        }
        guard RunningTests.finish(testSuite), !hasBundle else { return }
        ProcessRun.shared.finish()
    }

    /// Retries what flaked after the retry suite had run, or without one: a suite of somebody else's may run its tests
    /// in an order of its own. On Linux the exit code is read later, so it follows these as well.
    private func retryLatecomers(in outermost: XCTestSuiteRun) {
        let suite = RetrySuite.make()
        suite.run()
        if let run = suite.testRun { outermost.addTestRun(run) }
    }

    /// Fails what flaked and was never concluded: a subclass may have performed a test by means of its own.
    private func failPending(in outermost: XCTestSuiteRun) {
        let pending = ProcessRun.shared.pending.filter(\.isOfXCTest)
        guard !pending.isEmpty else { return }
        for retry in pending {
            say("\(retry.name) flaked, and the run ends without a retry of it: it has failed")
            ProcessRun.shared.fail(retry)
        }
        let run = RetrySuiteRun(test: RetrySuite.make())
        run.totals.failures = pending.count
        outermost.addTestRun(run)
    }

    func testBundleDidFinish(_ testBundle: Bundle) {
        ProcessRun.shared.finish()
    }
}

extension Retry {
    /// Whether it is a test of XCTest; one process may run tests of both frameworks.
    fileprivate var isOfXCTest: Bool { name.hasPrefix("-[") }
}
