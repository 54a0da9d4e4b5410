import Foundation
import Groundwork
import RetryCore
import XCTest

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
