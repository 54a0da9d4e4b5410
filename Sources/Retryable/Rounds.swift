import Foundation
import RetryCore
import XCTest

/// Runs everything that waits for its next attempt, round after round, until nothing is left.
enum Rounds {
    /// A loop, not suites in suites: a mark may allow thousands of rounds.
    ///
    /// - Parameters:
    ///   - round: The first round.
    ///   - count: Counts the run of a suite.
    static func run(beginningWith round: [[QueuedTest]], count: (XCTestRun) -> Void) {
        var round = round
        while !round.isEmpty {
            wait()
            for group in round {
                let suite = RetryClassSuite(group)
                suite.run()
                if let suiteRun = suite.testRun { count(suiteRun) }
            }
            round = RetryQueue.takeRound()
        }
    }

    /// Waits before a round, if the environment asks for it.
    private static func wait() {
        let delay = ProcessRun.shared.settings.retryDelay
        guard delay > 0 else { return }
        ProcessRun.shared.noteDelay()
        Thread.sleep(forTimeInterval: delay)
    }
}
