#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    /// Reports the death of a process, and runs the remaining tests. What it has interrupted, `SharedProgress` says.
    ///
    /// Suites that had begun go on with their results so far. A class is set up again for its remaining tests.
    struct Resumption {
        let supervised: SupervisedTests
        let interrupted: SharedProgress.InterruptedPart
        let death: Death
        /// The crash after which the process went on, and then died of something else. What it did meanwhile is not known.
        let otherCrash: AttemptSlots.Crash?
        var state: SharedProgress { supervised.state }

        /// What ended the process, in words.
        fileprivate var ending: String {
            otherCrash.map { "\(Death.ended(.signal($0.signal))), and then the process \(death)" } ?? "\(death)"
        }

        func runRest(of outermost: XCTestSuite) -> Never {
            ProcessContext.shared.resume(state.counts)
            log(announcement)
            if case .suite(let number) = interrupted { state.fail(suite: number) }
            for (test, attempt) in retries(in: nil) { RetryQueue.add(test, after: attempt) }
            supervised.listen()
            guard let outermostRun = outermost.testRun as? XCTestSuiteRun else { exit(1) }
            let before = RetrySuiteRun(test: outermost)
            before.totals = state.suites[0].totals
            outermostRun.addTestRun(before)
            runRest(of: outermost, 0, in: outermostRun)
            outermostRun.stop()
            ProcessContext.shared.finish()
            // What `XCTMain` does after the outermost suite: an observer may write its results then, or fail the run.
            let observers = XCTestObservationCenter.shared.observers
            if observers.isEmpty { log("XCTest's observers are not found, so they do not get the end of the bundle") }
            for observer in observers where !(observer is RetryObserver) { observer.testBundleDidFinish(.main) }
            exit(outermostRun.totalFailureCount == 0 ? 0 : 1)
        }

        /// The line that says what crashed or hung, and what follows.
        private var announcement: String {
            let left = state.tests.indices.filter { !state.tests[$0].hasEnded && .test($0) != interrupted }
            let others = left.isEmpty ? "" : "; the tests that are left run in another process"
            switch interrupted {
            case .suite(let number): return "\(nameOfSuite(number)) \(ending) outside of its tests\(others)"
            case .test(let number):
                var line = "\(supervised.tests[number].name) \(ending)\(others)"
                if let suite = state.tests[number].suite, left.contains(where: { state.tests[$0].suite == suite }) {
                    line += ", where \(nameOfSuite(suite)) is set up again"
                }
                return line
            }
        }

        private func nameOfSuite(_ number: Int) -> String {
            guard number == state.classRetriesSuite else { return supervised.suites[number].name }
            let test = state.tests.indices.first { state.tests[$0].suite == number }
            return test.map { "\(type(of: supervised.tests[$0]))" } ?? ""
        }

        // MARK: - What is left

        /// Does the rest of what XCTest does with a suite, in a run of it that goes on.
        private func runRest(of suite: XCTestSuite, _ number: Int, in suiteRun: XCTestSuiteRun) {
            if case .test(let test) = interrupted, state.tests[test].suite == number { failCrashed(test, in: suiteRun) }
            if suite is RetrySuite { return runRestOfRetries(in: suiteRun) }
            let left = suite.tests.filter { isLeft($0, of: number) }
            if left.isEmpty { return }
            suite.setUp()
            for test in left { perform((test as? XCTestSuite).flatMap(resumedIfOpen) ?? test, in: suiteRun) }
            suite.tearDown()
        }

        /// Runs the attempt that a crash has ended to its end: it fails with the crash.
        private func failCrashed(_ test: Int, in suiteRun: XCTestSuiteRun) {
            let attempt = CrashedAttempt(of: supervised.tests[test], in: self)
            if state.tests[test].retryCount > 0 { attempt.previousAttempt = lastAttempt(of: test) }
            supervised.setNumber(test, of: attempt.previousAttempt ?? attempt)
            perform(attempt, in: suiteRun)
            ProcessContext.shared.report.writeCounts()
        }

        private func runRestOfRetries(in suiteRun: XCTestSuiteRun) {
            if state.suites[state.classRetriesSuite].stage == .open {
                let retries = retries(in: state.classRetriesSuite).map { $0.test.makeRetry(after: $0.attempt) }
                perform(resumed(RetryClassSuite(retries), state.classRetriesSuite), in: suiteRun)
            }
            RetryQueue.runRounds(in: suiteRun)
        }

        private func isLeft(_ test: XCTest, of suite: Int) -> Bool {
            guard let number = supervised.number(of: test) else { return true }
            if test is XCTestSuite { return state.suites[number].stage != .over }
            return state.tests[number].suite == suite && !state.tests[number].hasEnded
        }

        private func perform(_ test: XCTest, in suiteRun: XCTestSuiteRun) {
            test.run()
            test.testRun.map(suiteRun.addTestRun)
        }

        private func resumedIfOpen(_ suite: XCTestSuite) -> XCTestSuite? {
            guard let number = supervised.number(of: suite), state.suites[number].stage == .open else { return nil }
            return resumed(suite, number)
        }

        /// A suite that had begun, as it goes on in this process.
        private func resumed(_ suite: XCTestSuite, _ number: Int) -> XCTestSuite {
            let resumed = ResumedSuite(nameOfSuite(number), state.suites[number].totals) {
                runRest(of: suite, number, in: $0)
            }
            supervised.setNumber(number, of: resumed)
            return resumed
        }

        /// The tests that wait for a retry, with their last attempts: in a suite or, if it is `nil`, in the queue.
        private func retries(in suite: Int?) -> [(test: RetryableTestCase, attempt: Attempt)] {
            state.retried.filter { state.tests[$0].suite == suite && .test($0) != interrupted }.compactMap { number in
                guard let test = supervised.tests[number] as? RetryableTestCase else { return nil }
                let attempt = lastAttempt(of: number)
                supervised.setNumber(number, of: attempt)
                return (test, attempt)
            }
        }

        /// The last attempt of a test, which flaked, as far as the report has it.
        private func lastAttempt(of number: Int) -> Attempt {
            let attempt = Attempt(retryCount: state.tests[number].retryCount - 1)
            attempt.restore(ProcessContext.shared.report.flake(of: TestName(of: supervised.tests[number])))
            return attempt
        }
    }

    extension XCTestObservationCenter {
        /// The observers, which XCTest has no public list of; empty if a later version keeps them elsewhere.
        var observers: [any XCTestObservation] {
            let elements = Mirror(reflecting: self).descendant("observers").map { Mirror(reflecting: $0).children }
            return elements?.compactMap { Mirror(reflecting: $0.value).descendant("object") as? any XCTestObservation }
                ?? []
        }
    }

    /// A suite that had begun when its process died, and goes on in this one.
    final class ResumedSuite: XCTestSuite {
        private let totals: Totals
        private let rest: (XCTestSuiteRun) -> Void

        init(_ name: String, _ totals: Totals, rest: @escaping (XCTestSuiteRun) -> Void) {
            (self.totals, self.rest) = (totals, rest)
            super.init(name: name)
        }

        override var testRunClass: AnyClass? { ResumedSuiteRun.self }

        override func perform(_ run: XCTestRun) {
            guard let run = run as? ResumedSuiteRun else { return }
            run.totals = totals
            rest(run)
            run.stop()
        }
    }

    /// XCTest has reported the suite's start, so this is not started again.
    private final class ResumedSuiteRun: RetrySuiteRun {
        private let begin = Date()

        override var startDate: Date? { begin }
    }

    /// An attempt whose process died. It goes through the same steps as any other, and fails with the crash, inside of the
    /// sections that were open.
    final class CrashedAttempt: RetryableTestCase {
        private var crash: (test: XCTestCase, resumption: Resumption)?
        /// The progress of the attempt; `nil` if it had not begun.
        fileprivate var begun: SharedProgress.RunningAttempt?

        convenience init(of test: XCTestCase, in resumption: Resumption) {
            self.init(name: "") { ($0 as? CrashedAttempt)?.recordCrash() }
            crash = (test, resumption)
            begun = resumption.state.attempt
        }

        override var name: String { crash?.test.name ?? super.name }
        override var reportName: TestName { crash.map { TestName(of: $0.test) } ?? super.reportName }
        override var testRunClass: AnyClass? { CrashedRun.self }

        override func makeRetry(after attempt: Attempt) -> XCTestCase {
            (crash?.test as? RetryableTestCase)?.makeRetry(after: attempt) ?? super.makeRetry(after: attempt)
        }

        private func recordCrash() {
            guard let resumption = crash?.resumption, let attempt else { return }
            let verdict = attempt.judge(
                resumption.death,
                in: begun == nil ? [] : resumption.state.openSections.sections,
                after: begun == nil ? nil : resumption.state.firstFlake.flake,
                hasFailed: resumption.otherCrash != nil || (begun?.failures ?? 0) > 0
            )
            if verdict.isSuppressed { return }
            record(Failure("\(resumption.ending)\(verdict.explanation)", at: ("<unknown>", 0)))
        }
    }

    /// The run of a crashed attempt. XCTest has reported its start and earlier failures; they are not reported again.
    private final class CrashedRun: JudgingRun {
        private var crashed: CrashedAttempt? { test as? CrashedAttempt }

        override var startDate: Date? {
            crashed?.begun.map { Date(timeIntervalSince1970: $0.start) } ?? super.startDate
        }

        override var failureCount: Int { super.failureCount + (crashed?.begun?.failures ?? 0) }

        override func start() {
            if crashed?.begun == nil { super.start() } else { crashed?.beginAttempt() }
        }
    }
#endif
