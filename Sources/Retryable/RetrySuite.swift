import Foundation
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
        Rounds.run(beginningWith: round, in: run)
        run.stop()
    }
}

/// Counts what all rounds came to, and lets go of their suites, tests and runs: there may be thousands.
final class RetrySuiteRun: XCTestSuiteRun {
    private var duration = 0.0
    private var executions = 0
    private var skips = 0
    private var failures = 0
    private var exceptions = 0

    override func addTestRun(_ testRun: XCTestRun) {
        duration += testRun.totalDuration
        executions += testRun.executionCount
        skips += testRun.skipCount
        failures += testRun.failureCount
        exceptions += testRun.unexpectedExceptionCount
    }

    override var totalDuration: TimeInterval { duration }
    override var executionCount: Int { executions }
    override var skipCount: Int { skips }
    override var failureCount: Int { failures }
    override var unexpectedExceptionCount: Int { exceptions }
}
