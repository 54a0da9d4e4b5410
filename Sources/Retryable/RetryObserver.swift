import Foundation
import Groundwork
import RetryCore
import XCTest

/// Adds the retries to the outermost suite when it starts, and has the summary written when the run ends.
final class RetryObserver: NSObject, XCTestObservation {
    private static let registration: Void = XCTestObservationCenter.shared.addTestObserver(RetryObserver())

    /// Registers the observer, once.
    static func register() { registration }

    private var (hasBundle, watchesExit) = (false, false)
    private let hasFailed = Locked(false)

    func testBundleWillStart(_ testBundle: Bundle) {
        hasBundle = true
        ProcessContext.shared.openReport()
    }

    func testSuiteWillStart(_ testSuite: XCTestSuite) {
        TestsInProgress.start(testSuite)
        guard TestsInProgress.outermostSuite === testSuite else { return }
        ProcessContext.shared.openReport()
        // XCTest reads a suite's tests after this call, so the added suite runs as the last one.
        testSuite.addTest(RetrySuite(name: "Retries"))
        Supervision.superviseIfAsked(testSuite, isInBundle: hasBundle)
        // In a supervised process, the parent decides what its end means.
        if SharedProgress.current != nil || exchange(&watchesExit, with: true) { return }
        let (thread, hasFailed) = (ProcessExit.thread, hasFailed)
        ProcessExit.watch {
            TestsInProgress.unfinished
        } atEnd: {
            // Another observer of the bundle's end may have called `exit`.
            if !ProcessContext.shared.hasFinished.withLock(\.self) { ProcessContext.shared.finish() }
            // Another thread knows nothing of the run.
            if ProcessExit.thread != thread, hasFailed.withLock(\.self) { ProcessExit.failRun() }
        }
    }

    func testCaseWillStart(_ testCase: XCTestCase) { TestsInProgress.start(testCase) }
    func testCaseDidFinish(_ testCase: XCTestCase) { TestsInProgress.finish(testCase) }

    func testSuiteDidFinish(_ testSuite: XCTestSuite) {
        guard TestsInProgress.outermostSuite === testSuite else { return TestsInProgress.finish(testSuite) }
        if let run = testSuite.testRun as? XCTestSuiteRun {
            failPending(in: run)
            if run.totalFailureCount > 0 { hasFailed.withLock { $0 = true } }
        }
        TestsInProgress.finish(testSuite)
        if !hasBundle { ProcessContext.shared.finish() }
    }

    func testBundleDidFinish(_ testBundle: Bundle) { ProcessContext.shared.finish() }

    /// Fails tests that flaked and are still pending, because a subclass ran them in a way of its own. On Linux the exit code
    /// is read later, so it includes these failures.
    private func failPending(in outermost: XCTestSuiteRun) {
        let pending = ProcessContext.shared.report.failPending()
        guard !pending.isEmpty else { return }
        for name in pending { log("\(name) flaked, and the run ends without a retry of it: it has failed") }
        let run = RetrySuiteRun(test: outermost.test)
        run.totals.failures = pending.count
        outermost.addTestRun(run)
    }
}

extension TestName {
    init(of test: XCTestCase) {
        if let test = test as? RetryableTestCase {
            self = test.reportName
            return
        }
        let opening = "\(type(of: test))."
        let method = test.name.hasPrefix(opening) ? String(test.name.dropFirst(opening.count)) : test.name
        self.init(of: method, in: type(of: test))
        if test.name.hasPrefix("-[") { name = test.name }
    }

    init(of method: String, in testClass: XCTestCase.Type) {
        let path = String(reflecting: testClass)
        let module = path.prefix { $0 != "." }
        // With the types that a class is nested in, but without the context of a private or local type, which is an address.
        let nested = path.dropFirst(module.count + 1)
            .replacingOccurrences(of: #"\(unknown context at [^)]*\)\."#, with: "", options: .regularExpression)
        self.init("-[\(path.contains("<") ? "\(testClass)" : nested) \(method)]", module: String(module))
    }
}
