import Foundation
import RetryCore
import XCTest

/// The last part of a run: everything that flaked, in rounds, until nothing is left to retry.
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

/// Adds up the results of all rounds, and keeps none of their suites, tests and runs, because there may be thousands.
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
