import Foundation
import RetryCore
import XCTest

/// The last part of a run: everything that flaked, in rounds, until nothing is left to retry.
final class RetrySuite: XCTestSuite {
    static func make() -> RetrySuite { RetrySuite(name: "Retries") }

    override var testRunClass: AnyClass? { RetrySuiteRun.self }

    override func perform(_ run: XCTestRun) {
        let round = RetryQueue.takeRound()
        // A run that is never started is never heard of, so that nothing shows where nothing flaked.
        guard !round.isEmpty, let run = run as? XCTestSuiteRun else { return }
        run.start()
        Rounds.run(beginningWith: round, count: run.addTestRun)
        run.stop()
    }
}

/// Counts what all rounds came to, and lets go of their suites, tests and runs: there may be thousands.
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
