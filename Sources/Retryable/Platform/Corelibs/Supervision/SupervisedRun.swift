#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import XCTest

    /// The numbers of a run's suites and tests, and the record of their progress that survives the process.
    final class SupervisedRun: NSObject, XCTestObservation, RunWitness, @unchecked Sendable {
        // Safe to send: what changes is behind `numbers`.
        let suites: [XCTestSuite]
        let tests: [XCTestCase]
        let state: RunState
        /// The sections that are open in the attempt that runs.
        let openSections: SharedSections
        /// The section that the attempt has flaked because of.
        let flakedSection: SharedSections
        private let numbers = Locked(Numbers())

        private struct Numbers {
            /// By the instance of the suite or test; by its previous flake, if it is a retry.
            var known: [ObjectIdentifier: Int] = [:]
            /// The attempt that runs, if it can flake.
            var attempt: Attempt?
            /// The process that runs the tests. A process that a test forks may enter sections too; those do not count.
            var process: pid_t?
        }

        /// - Parameter outermost: Holds all suites and tests, that of the retries last.
        init(_ outermost: XCTestSuite) throws(SystemError) {
            var (suites, parents): ([XCTestSuite], [Int?]) = ([], [])
            var (tests, suitesOfTests): ([XCTestCase], [Int]) = ([], [])
            func list(_ suite: XCTestSuite, in parent: Int?) {
                let number = suites.count
                suites.append(suite)
                parents.append(parent)
                for test in suite.tests {
                    if let suite = test as? XCTestSuite { list(suite, in: number) }
                    guard let test = test as? XCTestCase else { continue }
                    tests.append(test)
                    suitesOfTests.append(number)
                }
            }
            list(outermost, in: nil)
            (self.suites, self.tests) = (suites, tests)
            state = try RunState(parents: parents, suitesOfTests: suitesOfTests)
            openSections = try SharedSections()
            flakedSection = try SharedSections()
            super.init()
            for (number, suite) in suites.enumerated() { call(suite, number) }
            for (number, test) in tests.enumerated() { call(test, number) }
            state.begin(suite: 0)
        }

        /// Begins to record, in a process that runs tests.
        func listen() {
            numbers.withLock { $0.process = getpid() }
            XCTestObservationCenter.shared.addTestObserver(self)
            RunWitnesses.current = self
            RetryQueue.witness = queue
        }

        // MARK: - Numbers

        /// Gives a suite, a test or the retry after a flake this number.
        func call(_ object: AnyObject, _ number: Int) {
            numbers.withLock { $0.known[ObjectIdentifier(object)] = number }
        }

        func number(of test: XCTest) -> Int? { numbers.withLock { $0.known[key(of: test)] } }

        private func key(of test: XCTest) -> ObjectIdentifier {
            ObjectIdentifier((test as? RetryableTestCase)?.previousFlake ?? test)
        }

        // MARK: - What happens

        private func note(_ body: (inout Numbers) -> Void) {
            numbers.withLock { numbers in
                guard numbers.process == getpid() else { return }
                body(&numbers)
                state.move()
            }
        }

        func testSuiteWillStart(_ suite: XCTestSuite) {
            note { numbers in
                if suite is RetrySuite { numbers.known[key(of: suite)] = state.retries }
                if suite is RetryClassSuite {
                    numbers.known[key(of: suite)] = state.retriesOfClass
                    state.gather(suite.tests.compactMap { numbers.known[key(of: $0)] })
                }
                guard let number = numbers.known[key(of: suite)] else { return }
                state.begin(suite: number)
            }
        }

        func testSuiteDidFinish(_ suite: XCTestSuite) {
            note { numbers in
                if let number = numbers.known.removeValue(forKey: key(of: suite)) { state.end(suite: number) }
            }
        }

        func testCaseWillStart(_ test: XCTestCase) {
            note { numbers in
                guard state.attempt == nil, let number = numbers.known[key(of: test)] else { return }
                // As exact as the report, which may know this attempt already.
                let start = (test.testRun?.startDate ?? Date()).timeIntervalSince1970
                state.begin(test: number, at: (start * 1000).rounded() / 1000)
                numbers.attempt = (test as? RetryableTestCase)?.attempt
            }
        }

        func testCase(_ test: XCTestCase, didFailWithDescription _: String, inFile _: String?, atLine _: Int) {
            note { numbers in
                if numbers.known[key(of: test)] == state.attempt?.test { state.failAttempt() }
            }
        }

        func testCaseDidFinish(_ test: XCTestCase) {
            let needsRetry = (test as? RetryableTestCase)?.attempt?.needsRetry ?? false
            note { numbers in
                // An instance that has ended may be released, and its address reused.
                let number = numbers.known.removeValue(forKey: key(of: test))
                guard let attempt = state.attempt, number == attempt.test else { return }
                if let run = test.testRun { state.count(Totals(of: run)) }
                // One that flaked has ended when its retry is queued.
                if !needsRetry { end(&numbers, needsRetry: false) }
            }
        }

        /// The attempt has flaked, and this is what follows it.
        private func queue(_ previousFlake: PreviousFlake) {
            note { numbers in
                guard let attempt = state.attempt else { return }
                numbers.known[ObjectIdentifier(previousFlake)] = attempt.test
                end(&numbers, needsRetry: true)
            }
        }

        private func end(_ numbers: inout Numbers, needsRetry: Bool) {
            state.endAttempt(needsRetry: needsRetry)
            openSections.clear()
            flakedSection.clear()
            numbers.attempt = nil
        }

        func changeSections(to open: [Section], of attempt: Attempt) {
            note { numbers in
                if numbers.attempt === attempt { openSections.write(open) }
            }
        }

        func noteFlake(in section: Section, of attempt: Attempt) {
            note { numbers in
                if numbers.attempt === attempt { flakedSection.write([section]) }
            }
        }

        func changeCounts(to counts: RunCounts) { note { _ in state.counts = counts } }
    }
#endif
