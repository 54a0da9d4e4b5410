import Foundation
import Groundwork
import RetryCore
import XCTest

/// The last part of a run, which `RetryObserver` adds to it: everything that flaked, in rounds, until nothing is left to retry.
final class RetrySuite: XCTestSuite {
    override var testRunClass: AnyClass? { RetrySuiteRun.self }

    override func perform(_ run: XCTestRun) {
        // XCTest reports nothing of a run that is not started: where nothing flaked, nothing shows.
        guard !RetryQueue.isEmpty, let run = run as? XCTestSuiteRun else { return }
        run.start()
        RetryQueue.runRounds(in: run)
        run.stop()
    }
}

/// The tests that flaked and wait for their next attempt.
enum RetryQueue {
    private static let queue = Locked<[(test: RetryableTestCase, attempt: Attempt)]>([])

    static func add(_ test: RetryableTestCase, after attempt: Attempt) {
        queue.withLock { $0.append((test, attempt)) }
    }

    static var isEmpty: Bool { queue.withLock(\.isEmpty) }

    /// Takes the tests of one round. A process that resumes after a crash may have tests of two rounds in its queue.
    ///
    /// - Returns: A group for each class, in the order in which the classes ran, with its tests in the order in which they ran.
    ///   No two classes' fixtures are then ever open at once.
    private static func takeRound() -> [[XCTestCase]] {
        let round = queue.withLock { queue in
            let number = queue.map(\.attempt.retryCount).min()
            defer { queue.removeAll { $0.attempt.retryCount == number } }
            return queue.filter { $0.attempt.retryCount == number }
        }
        let retries = round.map { $0.test.makeRetry(after: $0.attempt) }
        let classes = Dictionary(grouping: retries.enumerated()) { ObjectIdentifier(type(of: $0.element)) }.values
        return classes.sorted { $0[0].offset < $1[0].offset }.map { $0.map(\.element) }
    }

    /// Runs everything that waits for its next attempt, round after round, until nothing is left.
    ///
    /// A loop, not suites in suites: a mark may allow thousands of rounds.
    static func runRounds(in run: XCTestSuiteRun) {
        while !isEmpty {
            waitBeforeRound()
            for retries in takeRound() {
                let suite = RetryClassSuite(retries)
                suite.run()
                suite.testRun.map(run.addTestRun)
            }
        }
    }

    /// Waits as long as the environment asks for, and then for a quiet machine.
    private static func waitBeforeRound() {
        let delay = ProcessContext.shared.settings.retryDelay
        if delay == 0 { return }
        if let delay {
            ProcessContext.shared.count(\.delays)
            Thread.sleep(forTimeInterval: delay)
        }
        QuietWait.beforeRound()
    }
}

/// Adds up the results of all rounds, and keeps none of their suites, tests and runs, because there may be thousands.
///
/// The outermost suite adds these results to its own, and XCTest takes the exit code from that sum.
class RetrySuiteRun: XCTestSuiteRun {
    var totals = Totals()

    override func addTestRun(_ testRun: XCTestRun) { totals += Totals(of: testRun) }

    override var totalDuration: TimeInterval { totals.duration }
    override var executionCount: Int { totals.executions }
    override var skipCount: Int { totals.skips }
    override var failureCount: Int { totals.failures }
    override var unexpectedExceptionCount: Int { totals.exceptions }
}

extension Totals {
    init(of run: XCTestRun) {
        self.init()
        duration = run.totalDuration
        executions = run.executionCount
        skips = run.skipCount
        failures = run.failureCount
        exceptions = run.unexpectedExceptionCount
    }
}

/// The tests of one class that are retried in one round, between the class's own `setUp` and `tearDown`.
final class RetryClassSuite: XCTestSuite {
    private let testClass: XCTestCase.Type

    init(_ retries: [XCTestCase]) {
        testClass = retries.first.map { type(of: $0) } ?? XCTestCase.self
        super.init(name: "\(testClass)")
        retries.forEach(addTest)
    }

    override func setUp() { testClass.setUp() }

    override func tearDown() {
        testClass.tearDown()
        // A subclass can override the methods by which XCTest performs a test, so one may not have run, or not to its end.
        for case let run as AttemptRun in tests.map(\.testRun) where run.stopDate == nil {
            if run.startDate == nil { run.start() }
            run.stop()
        }
    }
}
