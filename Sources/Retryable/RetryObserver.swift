import Foundation
import Groundwork
import RetryCore
import RetryReport
import XCTest

/// Adds the retries to the outermost suite when it starts, and has the summary written when the run ends.
final class RetryObserver: NSObject, XCTestObservation {
    /// Registers the observer; later accesses do nothing.
    static let register: Void = XCTestObservationCenter.shared.addTestObserver(RetryObserver())
    private static let watchesExit: Void = EarlyExit.watch { TestsInProgress.unfinished }
    private var hasBundle = false

    func testBundleWillStart(_ testBundle: Bundle) {
        hasBundle = true
        ProcessRun.shared.begin()
    }

    func testSuiteWillStart(_ testSuite: XCTestSuite) {
        TestsInProgress.start(testSuite)
        guard TestsInProgress.outermostSuite === testSuite else { return }
        ProcessRun.shared.begin()
        // XCTest reads a suite's tests after this call, so the added suite runs as the last one.
        testSuite.addTest(RetrySuite(name: "Retries"))
        Supervision.begin(testSuite, isInBundle: hasBundle)
        // In a supervised process, the parent decides what its end means.
        if SharedRun.current == nil { _ = Self.watchesExit }
    }

    func testCaseWillStart(_ testCase: XCTestCase) { TestsInProgress.start(testCase) }
    func testCaseDidFinish(_ testCase: XCTestCase) { TestsInProgress.finish(testCase) }

    func testSuiteDidFinish(_ testSuite: XCTestSuite) {
        guard TestsInProgress.outermostSuite === testSuite else { return TestsInProgress.finish(testSuite) }
        if let run = testSuite.testRun as? XCTestSuiteRun { failPending(in: run) }
        TestsInProgress.finish(testSuite)
        if !hasBundle { ProcessRun.shared.finish() }
    }

    func testBundleDidFinish(_ testBundle: Bundle) { ProcessRun.shared.finish() }

    /// Fails tests that flaked and are still pending, because a subclass ran them in a way of its own. On Linux the exit code
    /// is read later, so it includes these failures.
    private func failPending(in outermost: XCTestSuiteRun) {
        let pending = ProcessRun.shared.report.failPending()
        guard !pending.isEmpty else { return }
        for name in pending { log("\(name) flaked, and the run ends without a retry of it: it has failed") }
        let run = RetrySuiteRun(test: outermost.test)
        run.totals.failures = pending.count
        outermost.addTestRun(run)
    }
}

/// The suites and test cases that are running, outermost first.
enum TestsInProgress {
    private static let running = Locked<[XCTest]>([])

    static func start(_ test: XCTest) { running.withLock { $0.append(test) } }

    /// Also ends all that began after it, whose ends were not reported.
    static func finish(_ test: XCTest) {
        running.withLock { running in
            if let index = running.lastIndex(where: { $0 === test }) { running.removeSubrange(index...) }
        }
    }

    static var outermostSuite: XCTestSuite? { running.withLock { $0.first { $0 is XCTestSuite } as? XCTestSuite } }

    /// The test case that has begun last and not ended.
    static var test: XCTestCase? { running.withLock { $0.last { $0 is XCTestCase } as? XCTestCase } }

    /// The name of the test that has begun last and not ended; of a suite, if no test is running.
    static var unfinished: [String] { (test ?? running.withLock(\.last)).map { [$0.name] } ?? [] }

    /// A suite runs, and no test. Only a test that begins now can be run again after everything else.
    ///
    /// The suite's own list does not show this, because XCTest may run instances that are not in it.
    static var hasOnlySuites: Bool {
        running.withLock { running in !running.isEmpty && !running.contains { $0 is XCTestCase } }
    }
}

extension TestName {
    /// The name of any test case.
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
