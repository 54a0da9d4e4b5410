#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import XCTest

    /// The numbers of a run's suites and tests, and the record of their progress that survives the process.
    final class SupervisedTests: NSObject, XCTestObservation, @unchecked Sendable {
        // Safe to send: what changes is behind `numbers`.
        let suites: [XCTestSuite]
        let tests: [XCTestCase]
        let state: SharedProgress
        /// Keyed by the instance of the suite or test or, for a retry, by the attempt before it.
        private let numbers = Locked<[ObjectIdentifier: Int]>([:])

        /// - Parameter outermost: The suite that holds all suites and tests, the retries last.
        init(_ outermost: XCTestSuite) throws(SystemError) {
            var suites: [(suite: XCTestSuite, parent: Int?)] = []
            var tests: [(test: XCTestCase, suite: Int)] = []
            func list(_ suite: XCTestSuite, in parent: Int?) {
                let number = suites.count
                suites.append((suite, parent))
                for test in suite.tests {
                    if let suite = test as? XCTestSuite { list(suite, in: number) }
                    if let test = test as? XCTestCase { tests.append((test, number)) }
                }
            }
            list(outermost, in: nil)
            (self.suites, self.tests) = (suites.map(\.suite), tests.map(\.test))
            state = try SharedProgress(parents: suites.map(\.parent), suitesOfTests: tests.map(\.suite))
            super.init()
            for (number, suite) in self.suites.enumerated() { setNumber(number, of: suite) }
            for (number, test) in self.tests.enumerated() { setNumber(number, of: test) }
            state.begin(suite: 0)
        }

        /// Begins to record, in a process that runs tests.
        func listen() {
            SharedProgress.current = state
            XCTestObservationCenter.shared.addTestObserver(self)
            // It freezes the progress; what the exit means, the parent decides.
            ProcessExit.watch({ [] }) {
                // Another observer of the bundle's end may have called `exit`.
                if !ProcessContext.shared.hasFinished.withLock(\.self) { ProcessContext.shared.finish() }
            }
            CrashHandler.begin { [state] signal, _ in
                let crash = AttemptSlots.Crash(signal: signal, slot: nil)
                if crash.isFatal { state.freeze(at: crash) }
            }
        }

        // MARK: - Numbers

        /// Gives a suite, a test or the retry after an attempt this number.
        func setNumber(_ number: Int, of object: AnyObject) {
            numbers.withLock { $0[ObjectIdentifier(object)] = number }
        }

        func number(of test: XCTest) -> Int? { numbers.withLock { $0[key(of: test)] } }

        /// Returns the number of a test or suite that has ended: it may be released, and its address reused.
        private func removeNumber(of test: XCTest) -> Int? {
            numbers.withLock { $0.removeValue(forKey: key(of: test)) }
        }

        private func key(of test: XCTest) -> ObjectIdentifier {
            ObjectIdentifier((test as? RetryableTestCase)?.previousAttempt ?? test)
        }

        // MARK: - Progress

        func testSuiteWillStart(_ suite: XCTestSuite) {
            if suite is RetryClassSuite {
                setNumber(state.classRetriesSuite, of: suite)
                state.begin(retriesOf: suite.tests.compactMap(number))
            } else if let number = number(of: suite) {
                state.begin(suite: number)
            }
        }

        func testSuiteDidFinish(_ suite: XCTestSuite) {
            removeNumber(of: suite).map(state.end(suite:))
        }

        func testCaseWillStart(_ test: XCTestCase) {
            guard let number = number(of: test) else { return }
            // Rounded as in the report, which may have this attempt already.
            let start = (test.testRun?.startDate ?? Date()).timeIntervalSince1970
            let attempt = (test as? RetryableTestCase)?.attempt
            state.begin(test: number, at: (start * 1000).rounded() / 1000, as: attempt)
        }

        func testCase(_ test: XCTestCase, didFailWithDescription _: String, inFile _: String?, atLine _: Int) {
            number(of: test).map(state.fail(test:))
        }

        func testCaseDidFinish(_ test: XCTestCase) {
            let totals = test.testRun.map(Totals.init) ?? Totals()
            guard let number = removeNumber(of: test) else { return state.count(unlisted: totals) }
            guard number == state.attempt?.test else { return }
            guard let attempt = (test as? RetryableTestCase)?.attempt, attempt.needsRetry else {
                return state.endAttempt(totals, needsRetry: false)
            }
            // It ends when its record is written and its retry is queued.
            setNumber(number, of: attempt)
        }
    }
#endif
