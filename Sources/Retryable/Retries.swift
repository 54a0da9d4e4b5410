import Foundation
import Groundwork
import RetryCore
import XCTest

/// A test that is to be run again.
struct QueuedTest {
    let testClass: XCTestCase.Type
    /// The flake of the attempt before.
    let previousFlake: PreviousFlake
    /// Makes the test again, for its next attempt.
    let make: () -> XCTestCase
}

/// The tests that flaked and wait for their next attempt.
enum RetryQueue {
    private static let queue = Locked<[QueuedTest]>([])

    static func add(_ test: QueuedTest) {
        queue.withLock { $0.append(test) }
        didAdd?(test.previousFlake)
    }

    /// Called with each test that is added. Set at most once, before the first test.
    nonisolated(unsafe) static var didAdd: ((PreviousFlake) -> Void)?

    /// Takes the tests of one round. A process that resumes after a crash may have tests of two rounds in its queue.
    ///
    /// - Returns: A group for each class, in the order in which the classes ran, with its tests in the order in which they ran.
    ///   No two classes' fixtures are then ever open at once.
    static func takeRound() -> [[QueuedTest]] {
        let tests = queue.withLock { queue in
            let round = queue.map(\.previousFlake.retryCount).min()
            defer { queue.removeAll { $0.previousFlake.retryCount == round } }
            return queue.filter { $0.previousFlake.retryCount == round }
        }
        let groups = Dictionary(grouping: tests.enumerated()) { ObjectIdentifier($0.element.testClass) }.values
        return groups.sorted { $0[0].offset < $1[0].offset }.map { $0.map(\.element) }
    }
}

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

    /// Waits before a round, as long as the environment asks for, and then for a quiet machine.
    private static func wait() {
        let delay = ProcessRun.shared.settings.retryDelay
        if delay == 0 { return }
        if let delay {
            ProcessRun.shared.noteDelay()
            Thread.sleep(forTimeInterval: delay)
        }
        QuietWait.beforeRound()
    }
}

/// The tests of one class that are retried in one round, between the class's own `setUp` and `tearDown`.
final class RetryClassSuite: XCTestSuite {
    private let testClass: XCTestCase.Type

    init(_ group: [QueuedTest]) {
        testClass = group.first?.testClass ?? XCTestCase.self
        super.init(name: "\(testClass)")
        group.forEach { addTest($0.make()) }
    }

    override func setUp() {
        testClass.setUp()
    }

    override func tearDown() {
        testClass.tearDown()
        // A subclass can override the methods by which XCTest performs a test, so a test may not have run.
        for case let retry as RetryableTestCase in tests { retry.stopRun() }
    }
}
