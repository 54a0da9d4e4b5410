import Foundation
import RetryCore
import XCTest

/// The tests of one class that are retried in one round, between the class's own `setUp` and `tearDown`.
final class RetryClassSuite: XCTestSuite {
    private let testClass: XCTestCase.Type

    init(_ group: [QueuedTest]) {
        testClass = group.first?.testClass ?? XCTestCase.self
        super.init(name: ClassName.of(testClass).name)
        group.forEach { addTest($0.make()) }
    }

    override func setUp() {
        testClass.setUp()
    }

    override func tearDown() {
        testClass.tearDown()
    }
}

extension RetryQueue {
    /// Runs everything that waits for its next attempt, round after round, until nothing is left.
    ///
    /// A loop, not suites in suites: a mark may allow thousands of rounds.
    ///
    /// - Parameters:
    ///   - round: The first round.
    ///   - run: What the suites' runs are counted in; `nil` if nothing counts them.
    static func runRounds(beginningWith round: [[QueuedTest]], in run: XCTestSuiteRun?) {
        var round = round
        while !round.isEmpty {
            waitBeforeRound()
            for group in round {
                let suite = RetryClassSuite(group)
                suite.run()
                if let suiteRun = suite.testRun { run?.addTestRun(suiteRun) }
            }
            round = takeRound()
        }
    }

    private static func waitBeforeRound() {
        let delay = Ledger.shared.mode.retryDelay
        guard delay > 0 else { return }
        Ledger.shared.noteDelay()
        Thread.sleep(forTimeInterval: delay)
    }
}
