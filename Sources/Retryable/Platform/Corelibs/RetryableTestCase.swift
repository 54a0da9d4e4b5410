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
        fileprivate let testBody: XCTestCaseClosure

        // Required by PlatformTestCase.
        var previousFlake: PreviousFlake?
        var attempt: Attempt?
        var hasShownFlake = false
        var reportName: TestName { TestName(of: self) }
        var runClass: AttemptRun.Type { AttemptRun.self }

        private var isToldToStop = false
        /// The verdict on an error that XCTest is about to report, where this class has seen the error itself.
        private var verdictOnThrown: Verdict?

        /// Makes a test; XCTest calls this.
        public required init(name: String, testClosure: @escaping XCTestCaseClosure) {
            testBody = testClosure
            // Nothing is captured, so that an instance costs little more than one of XCTestCase.
            super.init(name: name) { test in
                guard let test = test as? RetryableTestCase else { return }
                try test.performBody()
            }
            RetryObserver.register()
        }

        /// Makes a test of a method that suspends.
        ///
        /// SwiftPM's list of the tests calls it in place of XCTest's function of this name, which it calls. So the task that
        /// runs the method is known from the others that the method makes, and what fails on a queue of XCTest's while the
        /// method waits there is inside the sections of that task alone.
        public static func asyncTest<Test: RetryableTestCase>(
            _ method: @escaping (Test) -> () async throws -> Void
        ) -> (Test) -> () throws -> Void {
            waiting { test in
                {
                    guard let attempt = test.attempt else { return try await method(test)() }
                    try await attempt.inOwnTask { try await method(test)() }
                }
            }
        }

        /// Whether the test goes on after a failure; as on Apple's systems, `true` until it is set.
        ///
        /// With `false`, a `flaky` whose section can throw ends the test when the section has flaked. A real failure
        /// ends nothing, because Swift leaves XCTest no means to do so on this system.
        open override var continueAfterFailure: Bool {
            get { !isToldToStop || Self.isPassingOn }
            set { isToldToStop = !newValue }
        }

        /// The class of the run of an attempt. It is not open: the run decides, when all else has ended, whether an attempt
        /// has passed.
        public final override var testRunClass: AnyClass? { runClass }

        open override func recordFailure(
            withDescription description: String,
            inFile filePath: String,
            atLine lineNumber: Int,
            expected: Bool
        ) {
            var failure = Failure(description, file: filePath, line: lineNumber, expected: expected)
            guard let ending = verdict(on: failure).ending else { return }
            failure.message += ending
            pass(on: failure)
        }

        func queued(after previousFlake: PreviousFlake) -> QueuedTest {
            let testClass = type(of: self)
            return QueuedTest(testClass: testClass, previousFlake: previousFlake) { [nameOfMethod, testBody] in
                let test = testClass.init(name: nameOfMethod, testClosure: testBody)
                test.previousFlake = previousFlake
                return test
            }
        }

        // MARK: - One attempt

        /// Runs the test method, and shows an attempt that flaked as skipped.
        private func performBody() throws {
            guard let attempt else { return try testBody(self) }
            attempt.forgetErrors()  // whatever left a section in `setUp` has been dealt with
            defer { attempt.forgetErrors() }
            do {
                try testBody(self)
                attempt.endMethod(.returned)
            } catch {
                try end(attempt, with: error)
            }
            try announce { flake, announcement in
                guard case .xctest(let file, let line) = flake.section.site else { return }
                throw XCTSkip(announcement, file: file, line: line)
            }
        }

        /// Decides about an error that ended the test method; throws it if XCTest is to have it.
        private func end(_ attempt: Attempt, with error: any Error) throws {
            if let failure = failure(of: attempt, endedBy: error) {
                attempt.endMethod(.threw(failure))
                let verdict = judge(failure, in: attempt.sectionsLeft(by: error))
                guard attempt.needsRetry else {
                    verdictOnThrown = verdict
                    if error.isRecordedWhereThrown { failure.record(with: recordFailure) }
                    throw error
                }
            } else {
                attempt.endMethod(.threw(nil))
                guard attempt.needsRetry else { throw error }
            }
            attempt.cutShort()
        }

        /// What an error is that ended the test method; `nil` if it is no failure of its own.
        private func failure(of attempt: Attempt, endedBy error: any Error) -> Failure? {
            if error is XCTSkip { return nil }
            if error is StoppedAfterFlake, attempt.needsRetry { return nil }
            // XCTest has recorded XCTUnwrap's error where it was thrown. If that was in another attempt or test, it is
            // recorded here.
            if error.isRecordedWhereThrown, !attempt.failures.isEmpty { return nil }
            return Failure(unplaced: XCTestInternals.thrown(error))
        }

        private func verdict(on failure: Failure) -> Verdict {
            guard let attempt else { return .real }
            if failure.isThrown, let verdict = verdictOnThrown {
                verdictOnThrown = nil
                return verdict
            }
            var sections: [Section]?
            switch failure.kind == .error ? attempt.matchedError(at: failure.assertion, failure.tells) : nil {
            case .stop?:
                // Our own means to stop a test is no failure of anybody's.
                attempt.cutShort()
                return .aftermath
            case .error(let left)?: sections = left + attempt.sectionsHere
            case nil: sections = failure.isThrown ? [] : nil
            }
            let verdict = judge(failure, in: sections, isOfUnwaitedExpectation: failure.isOfUnwaitedExpectation)
            if failure.isThrown {
                attempt.forgetErrors()
                if attempt.needsRetry { attempt.cutShort() }
            }
            return verdict
        }

        // MARK: - Handing on to XCTest

        /// Whether this thread is handing a failure to XCTest.
        @TaskLocal private static var isPassingOn = false

        /// Hands a failure to XCTest.
        ///
        /// XCTest would end the process if it found that the test should stop here, which it cannot make it do. So it
        /// finds that the test goes on; or, where a subclass insists that it does not, its run is told instead.
        private func pass(on failure: Failure) {
            Self.$isPassingOn.withValue(true) {
                guard continueAfterFailure else {
                    if let testRun { fail(failure, in: testRun) }
                    return
                }
                failure.record(with: super.recordFailure)
            }
        }
    }

    extension RetryableTestCase: PlatformTestCase {
        var stopsAtFailure: Bool { !continueAfterFailure }

        func fail(_ failure: Failure, in run: XCTestRun) {
            if let run = run as? XCTestCaseRun { failure.record(with: run.recordFailure) }
        }
    }

    /// XCTest's own function, under a name that can be told from the method's.
    private func waiting<Test: XCTestCase>(
        _ method: @escaping (Test) -> () async throws -> Void
    ) -> (Test) -> () throws -> Void {
        asyncTest(method)
    }
#endif
