#if canImport(ObjectiveC)
    import RetryCore
    import RetryReport
    import XCTest

    /// A test case whose flaky sections are retried, and only those.
    ///
    /// Subclass it instead of `XCTestCase`, and mark the part of a test that flakes with `flaky(_:_:)`. A failure inside
    /// is suppressed, and the test is run again after the others; everything else works as it does with `XCTestCase`.
    open class RetryableTestCase: XCTestCase {
        // What a platform has to give, as PlatformTestCase tells.
        var story: Story?
        var attempt: Attempt?
        var hasShownFlake = false

        /// What the test is made again with.
        private(set) var selector: Selector?

        /// The tests of this class. XCTest asks every class before anything runs, so Retryable begins to listen here.
        open override class var defaultTestSuite: XCTestSuite {
            RetryObserver.register()
            return super.defaultTestSuite
        }

        /// The class of the run of an attempt. It is not open: the run decides, when all else has ended, whether an attempt
        /// has passed.
        public final override var testRunClass: AnyClass? { AttemptRun.self }

        open override func perform(_ run: XCTestRun) {
            selector = invocation?.selector
            super.perform(run)
        }

        open override func invokeTest() {
            // The exception with which XCTest stops a test leaves Swift's frames without undoing what they did: the
            // section that it left would be the innermost one of this thread for ever, so each attempt begins with none.
            CurrentSections.none { super.invokeTest() }
            attempt?.endMethod(returning: true)
            goingOnAfterFailure {
                if let testRun { settle(testRun) }  // what is attached below cannot wait for the run's end
                giveBackFlake()
                announce(show)
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
                attempt.cutShort()
                return .aftermath
            }
            if issue.tellsOfUnwaitedExpectation {
                // XCTest looks for them when the method has returned, and before this class hears of it. An error that
                // `XCTUnwrap` threw is never reported, so one that left a section is all there is to know of it.
                if attempt.hasEscapedError, attempt.isFlaky { attempt.cutShort() }
            }
            let verdict = judge(
                issue.forReport,
                in: issue.type == .thrownError ? issue.associatedError.map(attempt.sectionsLeft) ?? [] : nil,
                isOfUnwaitedExpectation: issue.tellsOfUnwaitedExpectation
            )
            if issue.type == .thrownError, attempt.isFlaky { attempt.cutShort() }
            return verdict
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

        /// Shows in the test's result that it flaked.
        private func show(_ flake: Flake, announcement: String) {
            addActivity(for: flake, announcement: announcement)
            let options = XCTExpectedFailure.Options()
            options.isStrict = false
            XCTExpectFailure(announcement, options: options) {
                super.record(XCTIssue(failure: flake.failure, of: flake.section))
            }
        }

        /// Runs what may record failures after the test method: an exception would stop nothing here but this class.
        private func goingOnAfterFailure(_ body: () -> Void) {
            let goesOn = continueAfterFailure
            continueAfterFailure = true
            body()
            continueAfterFailure = goesOn
        }
    }

    extension RetryableTestCase: PlatformTestCase {
        var reportName: TestName {
            let testClass = ClassName.of(type(of: self))
            return TestName("-[\(testClass.name) \(testName)]", module: testClass.module)
        }

        private var testName: String {
            guard let selector = selector ?? invocation?.selector else { return name }
            return methodName(of: NSStringFromSelector(selector))
        }

        func fail(_ message: String, at place: Place, in run: XCTestRun) {
            run.record(XCTIssue(message, at: place))
        }

        func remaking(with story: Story) -> () -> XCTestCase {
            let selector = selector ?? NSSelectorFromString(testName)
            // `init(selector:)` comes from Objective-C: Swift calls it on XCTestCase's metatype alone, whatever that holds.
            let base: XCTestCase.Type = type(of: self)
            return {
                let test = base.init(selector: selector)
                (test as? RetryableTestCase)?.story = story
                return test
            }
        }
    }
#endif
