import Foundation
import RetryCore
import XCTest

/// The last part of a run: everything that flaked, in rounds, until nothing is left to retry.
final class RetrySuite: XCTestSuite {
    static func make() -> RetrySuite { RetrySuite(name: "Retries") }

    override var testRunClass: AnyClass? { RetrySuiteRun.self }

    override func perform(_ run: XCTestRun) {
        let round = RetryQueue.takeRound()
        // XCTest reports nothing of a run that is not started: where nothing flaked, nothing shows.
        guard !round.isEmpty, let run = run as? XCTestSuiteRun else { return }
        run.start()
        Rounds.run(beginningWith: round, count: run.addTestRun)
        run.stop()
    }
}

/// Adds up the results of all rounds, and keeps none of their suites, tests and runs, because there may be thousands.
class RetrySuiteRun: XCTestSuiteRun {
    var totals = Totals()

    override func addTestRun(_ testRun: XCTestRun) {
        totals += Totals(of: testRun)
    }

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
