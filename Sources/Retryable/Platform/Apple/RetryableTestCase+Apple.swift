#if canImport(ObjectiveC)
    import RetryCore
    import RetryReport
    import XCTest

    /// A test case whose flaky sections are retried, and only those.
    ///
    /// Subclass it instead of `XCTestCase`, and mark the part of a test that flakes with `flaky(_:_:)`. A failure inside
    /// is suppressed, and the test is run again after the others of its class; everything else works as it does with
    /// `XCTestCase`.
    open class RetryableTestCase: XCTestCase {
        /// What happened to this test before; `nil` on the first attempt.
        var story: Story?

        /// The attempt that this instance is for; `nil` until it runs.
        private(set) var attempt: Attempt?

        /// What the test is made again with.
        private var selector: Selector?
        private var hasShownFlake = false
        private var hasInvoked = false

        /// The tests of this class. XCTest asks every class before anything runs, so Retryable begins to listen here.
        open override class var defaultTestSuite: XCTestSuite {
            RetryObserver.register()
            return super.defaultTestSuite
        }

        /// The class of the run of an attempt: one that leaves flakes out of the result.
        open override var testRunClass: AnyClass? { RetryableTestCaseRun.self }

        open override func perform(_ run: XCTestRun) {
            selector = invocation?.selector
            hasShownFlake = false
            hasInvoked = false
            attempt = Attempt(retryCount: retryCount)
            super.perform(run)
            conclude(run, hasShown: hasShownFlake)
        }

        open override func invokeTest() {
            // The exception with which XCTest stops a test leaves Swift's frames without undoing what they did: the
            // section that it left would be the innermost one of this thread for ever, so each attempt begins with none.
            CurrentSections.none { super.invokeTest() }
            hasInvoked = true
            goingOnAfterFailure {
                settle()
                giveBackFlake()
                showFlake()
                attachReport()
            }
        }

        open override func record(_ issue: XCTIssue) {
            switch verdict(on: issue) {
            case .real: super.record(issue)
            case .refused(let refusal): super.record(issue.adding(refusal.note))
            // XCTest stops the test where it should stop, and the run leaves the issue out of the result.
            case .flake, .aftermath: super.record(issue.suppressed)
            }
        }

        // MARK: - One attempt

        private func verdict(on issue: XCTIssue) -> Verdict {
            guard let attempt, issue.failsTest else { return .real }
            if issue.associatedError is StoppedAfterFlake {
                attempt.noteCut()
                return .aftermath
            }
            if issue.tellsOfUnwaitedExpectation {
                // XCTest looks for them when the method has returned, and before this class hears of it. An error that
                // `XCTUnwrap` threw is never reported, so one that left a section is all there is to know of it.
                if attempt.hasEscapedError, attempt.isFlaky { attempt.noteCut() }
            }
            let verdict = attempt.record(
                issue.forReport,
                in: issue.type == .thrownError ? issue.associatedError.map(attempt.sectionsLeft) ?? [] : nil,
                stopsAtFailure: !continueAfterFailure,
                isOfUnwaitedExpectation: issue.tellsOfUnwaitedExpectation,
                canRunAgain: { canRunAgain },
                refusal: Ledger.shared.refusal
            )
            if issue.type == .thrownError, attempt.isFlaky { attempt.noteCut() }
            return verdict
        }

        /// Fails a retry whose test a subclass did not invoke; asked when the run is about to end.
        func settleAtEnd() {
            guard !hasInvoked else { return }
            goingOnAfterFailure { settle(hasRun: false) }
        }

        /// Fails an attempt that is not run again, although nothing in its result has failed.
        ///
        /// A failure that the test expected (`XCTExpectFailure`) comes here like any other, and only XCTest knows then that
        /// it is none. A flake beside it would be neither retried nor reported.
        private func giveBackFlake() {
            guard let attempt, attempt.hasFailed, let flake = attempt.flake else { return }
            guard let testRun, testRun.totalFailureCount == 0 else { return }
            super.record(XCTIssue(failure: flake.failure, of: flake.section))
        }

        /// Puts an attempt that flaked into the report, and shows in its result that it did.
        private func showFlake() {
            guard let announcement = announce(), let attempt, let flake = attempt.flake else { return }
            showFlake(flake, of: attempt, announcement: announcement)
            let options = XCTExpectedFailure.Options()
            options.isStrict = false
            XCTExpectFailure(announcement, options: options) {
                super.record(XCTIssue(failure: flake.failure, of: flake.section))
            }
            hasShownFlake = true
        }

        /// Runs what may record failures after the test method: an exception would stop nothing here but this class.
        private func goingOnAfterFailure(_ body: () -> Void) {
            let goesOn = continueAfterFailure
            continueAfterFailure = true
            body()
            continueAfterFailure = goesOn
        }

        // MARK: - What the shared part needs

        var reportName: TestName {
            let testClass = ClassName.of(type(of: self))
            return TestName("-[\(testClass.name) \(testName)]", module: testClass.module)
        }

        private var testName: String {
            guard let selector = selector ?? invocation?.selector else { return name }
            return methodName(of: NSStringFromSelector(selector))
        }

        /// Whether a suite runs this test after which it can be run again.
        private var canRunAgain: Bool { selector != nil && (story != nil || RunningTests.contain(self)) }

        /// Fails the test, whatever section it is in.
        func fail(_ message: String, at place: Place) {
            super.record(XCTIssue(message, at: place))
        }

        func queued(for next: Story) -> QueuedTest {
            let testClass = type(of: self)
            let selector = selector ?? NSSelectorFromString(testName)
            // `init(selector:)` comes from Objective-C: Swift calls it on XCTestCase's metatype alone, whatever that holds.
            let base: XCTestCase.Type = testClass
            return QueuedTest(testClass: testClass) {
                let test = base.init(selector: selector)
                (test as? RetryableTestCase)?.story = next
                return test
            }
        }
    }
#endif
