#if !canImport(ObjectiveC)
    import Foundation
    import RetryCore
    import XCTest

    /// The last part of a run: everything that flaked, in rounds, until nothing is left to retry.
    ///
    /// A loop, not suites in suites: a mark may allow thousands of rounds.
    final class RetrySuite: XCTestSuite {
        init() {
            super.init(name: "Retries")
        }

        override func perform(_ run: XCTestRun) {
            var round = RetryQueue.takeRound()
            // A run that is never started is never heard of, so that nothing shows where nothing flaked.
            guard !round.isEmpty, let run = run as? XCTestSuiteRun else { return }
            run.start()
            while !round.isEmpty {
                waitBeforeRound()
                for group in round {
                    let suite = RetryClassSuite(group)
                    suite.run()
                    if let suiteRun = suite.testRun { run.addTestRun(suiteRun) }
                }
                round = RetryQueue.takeRound()
            }
            run.stop()
        }

        private func waitBeforeRound() {
            let delay = Ledger.shared.mode.retryDelay
            guard delay > 0 else { return }
            Ledger.shared.noteDelay()
            Thread.sleep(forTimeInterval: delay)
        }
    }

    /// The tests of one class that are retried in one round, between the class's own `setUp` and `tearDown`.
    private final class RetryClassSuite: XCTestSuite {
        private let testClass: XCTestCase.Type

        init(_ group: [QueuedTest]) {
            testClass = group.first?.testClass ?? XCTestCase.self
            super.init(name: String(describing: testClass))
            group.forEach { addTest($0.make()) }
        }

        override func setUp() {
            testClass.setUp()
        }

        override func tearDown() {
            testClass.tearDown()
        }
    }
#endif
