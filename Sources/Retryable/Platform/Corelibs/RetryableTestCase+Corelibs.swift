#if !canImport(ObjectiveC)
    import RetryCore
    import RetryReport
    import XCTest

    /// A test case whose flaky sections are retried, and only those.
    ///
    /// Subclass it instead of `XCTestCase`, and mark the part of a test that flakes with `flaky(_:_:)`. A failure inside
    /// is suppressed, and the test is run again after the others; everything else works as it does with `XCTestCase`.
    open class RetryableTestCase: XCTestCase {
        // There is an instance for each test of a run, so each is kept small.
        private var methodName: String
        private let testBody: XCTestCaseClosure
        /// The attempt before, which flaked; `nil` on the first.
        var previousAttempt: Attempt?
        var attempt: Attempt?
        var canBeMadeAgain: Bool { true }
        /// The test is to stop at its first failure, as its author asked.
        private(set) var stopsAtFailure = false

        /// Makes a test; XCTest calls this.
        public required init(name: String, testClosure: @escaping XCTestCaseClosure) {
            methodName = name
            testBody = testClosure
            // Nothing is captured, so that an instance costs little more than one of XCTestCase.
            super.init(name: name) { try ($0 as? RetryableTestCase)?.runMethod() }
            RetryObserver.register()
        }

        /// If this is set to `false`, a `flaky` whose section can throw ends the test once the section has flaked.
        ///
        /// A real failure does not end the test, because XCTest has no means to do so on this system. It always reads `true`,
        /// as it does with `XCTestCase` here.
        open override var continueAfterFailure: Bool {
            get { true }
            set { stopsAtFailure = !newValue }
        }

        /// The class of the run of an attempt. It is not open, because the run judges what fails, and decides at its end
        /// whether the attempt has passed.
        public override var testRunClass: AnyClass? { JudgingRun.self }

        /// The name in the report, the same for all attempts, whatever a subclass makes of `name`.
        var reportName: TestName { TestName(of: methodName, in: type(of: self)) }

        /// Passes on to the next attempt what this instance was given besides its name.
        ///
        /// A retry runs in a new instance. Override this if you make instances yourself and set their properties
        /// (<doc:Migrating> has an example): without those values, the retry would run a different test. No test is running
        /// while it is called, so an assertion that fails in it has no effect.
        ///
        /// - Parameter retry: The new instance, of the same class, before it runs.
        open func prepareRetry(_ retry: RetryableTestCase) {}

        /// Called right after the first failure of an attempt was suppressed, before the test goes on.
        ///
        /// Override it to keep what explains the flake, such as a server's log. It is not called for a real failure or a crash.
        /// What fails in it is real, and no section counts in it. It runs on the thread that recorded the failure, where an
        /// `XCTestExpectation` must not be used: if the flake is one that was fulfilled too often, XCTest holds its own lock meanwhile.
        open func didFlake() {}

        /// Calls ``didFlake()`` if this is the verdict on the attempt's first flake.
        func callDidFlake(after verdict: Verdict) { attempt?.callAtFirstFlake(verdict, didFlake) }

        open override func invokeTest() {
            // Runs after the user's own blocks. Needed where `setUp` throws, because the method is then never reached.
            addTeardownBlock { [unowned self] in attempt?.advance(to: .tearDown) }
            super.invokeTest()
        }

        func makeRetry(after attempt: Attempt) -> XCTestCase {
            let retry = type(of: self).init(name: methodName, testClosure: testBody)
            retry.methodName = methodName  // an initializer of a subclass may have changed it once more
            retry.previousAttempt = attempt
            prepareRetry(retry)
            return retry
        }

        // MARK: - The test method

        /// Runs the test method, and shows an attempt that flaked as skipped.
        private func runMethod() throws {
            guard let attempt else { return try testBody(self) }
            if !attempt.isToStop {
                attempt.advance(to: .method)
                // Before the teardown blocks, which may check for leaks.
                defer { attempt.releaseErrors(of: .method) }
                do {
                    try testBody(self)
                    attempt.methodReturned()
                } catch {
                    try judgeThrown(error, by: attempt)
                }
            }
            attempt.advance(to: .tearDown)
            try announceFlake { flake, announcement in
                guard case .xctest(let file, let line) = flake.section.site else { return }
                throw XCTSkip(announcement, file: file, line: line)
            }
        }

        /// Decides about an error that ended the test method; throws it if XCTest is to have it.
        private func judgeThrown(_ error: any Error, by attempt: Attempt) throws {
            // An error of the last kind was recorded where it was thrown, unless that was in another attempt or test.
            let isNoFailure =
                error is XCTSkip || error is StoppedAfterFlake && attempt.needsRetry
                || error.isRecordedWhereThrown && !attempt.record.failures.isEmpty
            if isNoFailure {
                if attempt.needsRetry { return }
                throw error
            }
            let failure = Failure(unplaced: Failure.description(of: error))
            let verdict = attempt.judge(failure, in: attempt.sections(leftBy: error))
            callDidFlake(after: verdict)
            if verdict.isSuppressed { return }
            let recorded = Failure(unplaced: failure.message + verdict.explanation)
            attempt.methodThrew(recorded, verdict)
            if error.isRecordedWhereThrown { record(recorded) }  // XCTest does not record it
            throw error
        }

        // MARK: - Failures

        /// Decides about a failure that is to be recorded in this test's XCTestRun.
        func judgeRecorded(_ failure: Failure) -> Verdict {
            guard let attempt else { return .real() }
            var sections: [Section] = []
            if !failure.isThrown {
                sections = attempt.sectionsHere(countingAllWithoutTask: true)
            } else if let verdict = attempt.takePendingVerdict() {
                return verdict  // on the error that ended the test method
            } else if let error = attempt.lastErrorOfPhase, failure.message.contains(Failure.description(of: error)) {
                // It ended `setUp` or `tearDown`. A subclass may have added words of its own.
                if error is StoppedAfterFlake { return attempt.predict(failure, in: [], isExplained: true) }
                sections = attempt.sections(leftBy: error)
            }
            return attempt.judge(
                failure,
                in: sections,
                isExplained: failure.isOfUnwaitedExpectation && !attempt.hasReturned,
                stopsAtFailure: stopsAtFailure
            )
        }
    }
#endif
