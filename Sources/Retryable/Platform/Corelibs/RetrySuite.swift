#if !canImport(ObjectiveC)
    import XCTest

    /// The last part of a run: everything that flaked, in rounds, until nothing is left to retry.
    final class RetrySuite: XCTestSuite {
        init() {
            super.init(name: "Retries")
        }

        override func perform(_ run: XCTestRun) {
            let round = RetryQueue.takeRound()
            // A run that is never started is never heard of, so that nothing shows where nothing flaked.
            guard !round.isEmpty, let run = run as? XCTestSuiteRun else { return }
            run.start()
            RetryQueue.runRounds(beginningWith: round, in: run)
            run.stop()
        }
    }
#endif
