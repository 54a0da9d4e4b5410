import Foundation
import Groundwork
import RetryCore
import RetryReport
import XCTest

/// Adds the retries to the outermost suite when it starts, and has the summary written when the run ends.
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

    /// Fails tests that flaked and are still pending, because a subclass ran them in a way of its own.
    private func failPending(in outermost: XCTestSuiteRun) {
        // One process may run tests of both frameworks.
        let pending = ProcessRun.shared.report.pending.filter { $0.name.hasPrefix("-[") }
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

/// The suites and test cases that are running, outermost first.
enum TestsInProgress {
    private static let running = Locked<[XCTest]>([])

    /// - Returns: `true` if no suite runs around it.
    @discardableResult
    static func start(_ test: XCTest) -> Bool {
        running.withLock { running in
            defer { running.append(test) }
            return !running.contains { $0 is XCTestSuite }
        }
    }

    /// Also ends all that began after it, whose ends were not reported.
    ///
    /// - Returns: `true` if no suite runs around it.
    @discardableResult
    static func finish(_ test: XCTest) -> Bool {
        running.withLock { running in
            if let index = running.lastIndex(where: { $0 === test }) { running.removeSubrange(index...) }
            return !running.contains { $0 is XCTestSuite }
        }
    }

    static func isOutermost(_ suite: XCTestSuite) -> Bool {
        running.withLock { $0.first { $0 is XCTestSuite } === suite }
    }

    /// The test case that has begun last and not ended.
    static var test: XCTestCase? { running.withLock { $0.last { $0 is XCTestCase } as? XCTestCase } }

    /// The name of the test that has begun last and not ended; of a suite, if no test is running.
    static var unfinished: [String] {
        let running = running.withLock { $0 }
        return (running.last { $0 is XCTestCase } ?? running.last).map { [$0.name] } ?? []
    }

    /// Returns `true` if `test` is run by a suite, and not by another test. Only then can it be run again after everything else.
    ///
    /// The suite's own list is no answer, because XCTest may run instances that are not in it.
    static func contain(_ test: XCTestCase) -> Bool {
        running.withLock { running in
            let cases = running.filter { $0 is XCTestCase }
            return running.count > 1 && cases.count == 1 && cases.first === test
        }
    }
}

extension TestName {
    /// The name of any test case.
    init(of test: XCTestCase) {
        self.init(of: test.nameOfMethod, in: type(of: test))
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

extension XCTestCase {
    /// The part after the class, where the test's name is `Class.test`; else the name.
    var nameOfMethod: String {
        let opening = "\(type(of: self))."
        return name.hasPrefix(opening) ? String(name.dropFirst(opening.count)) : name
    }
}
