#if canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    /// A test case whose flaky sections are retried, and only those.
    ///
    /// Subclass it instead of `XCTestCase`, and mark the part of a test that flakes with `flaky(_:_:)`. A failure inside
    /// is suppressed, and the test is run again after the others; everything else works as it does with `XCTestCase`.
    open class RetryableTestCase: XCTestCase {
        var attempt: Attempt?
        var previousAttempt: Attempt? { method?.previousAttempt }

        /// Without a method it could not.
        var canBeMadeAgain: Bool { method != nil }

        /// The method that this instance runs. Lazy, because the invocation need not be set before the attempt begins.
        private lazy var method = invocation.map { AttemptedMethod.find($0.selector, of: type(of: self)) }

        /// `flaky` has to stop the test after its flake, because XCTest cannot.
        private var stopsInsteadOfXCTest = false
        /// The attachments of suppressed failures, for the flake's activity.
        let keptAttachments = Locked<[XCTAttachment]>([])
        /// XCTest has reported an error that ended the method, its `setUp` or its `tearDown`.
        private var hasThrown = false

        /// The test is to stop at its first failure, as its author asked.
        var stopsAtFailure: Bool { stopsInsteadOfXCTest || !continueAfterFailure }

        /// The name in the report, the same for all attempts, whatever a subclass makes of `name`.
        var reportName: TestName { TestName(of: method?.name ?? name, in: type(of: self)) }

        /// The tests of this class. XCTest asks every class for them before anything runs, so the observer is
        /// registered here.
        open override class var defaultTestSuite: XCTestSuite {
            RetryObserver.register()
            return super.defaultTestSuite
        }

        /// The class of the run of an attempt. It is not open, because the run judges what fails, and decides at its end
        /// whether the attempt has passed.
        public final override var testRunClass: AnyClass? { JudgingRun.self }

        /// Passes on to the next attempt what this instance was given besides its method.
        ///
        /// A retry runs in a new instance. Override this if you make instances yourself and set their properties, such as in
        /// `defaultTestSuite` (<doc:Migrating> has an example): without those values, the retry would run a different test. No
        /// test is running while it is called, so an assertion that fails in it has no effect.
        ///
        /// - Parameter retry: The new instance, of the same class, before it runs.
        open func prepareRetry(_ retry: RetryableTestCase) {}

        /// Called right after the first failure of an attempt was suppressed, before the test goes on.
        ///
        /// Override it to keep what explains the flake, such as a screenshot (<doc:Xcode>). It is not called for a real failure.
        /// What fails in it is real, and no section counts in it. It runs on the main thread: if the failure is recorded on another
        /// one, it is not called, and a line on standard error says so.
        open func didFlake() {}

        /// Calls ``didFlake()`` if this is the verdict on the attempt's first flake.
        func callDidFlake(after verdict: Verdict) {
            attempt?.callAtFirstFlake(verdict) {
                // Activities, and the classes of an app's elements, are the main thread's alone.
                let reason = "the failure was not recorded on the main thread"
                guard Thread.isMainThread else { return log("\(name): didFlake() was not called, because \(reason)") }
                didFlake()
            }
        }

        open override func invokeTest() {
            // Runs after the user's own blocks, and shows where tearing down begins.
            if let attempt {
                addTeardownBlock {
                    attempt.advance(to: .tearDown)
                    // XCTest's exception may have left sections open.
                    for section in OpenSection.stack where section.attempt === attempt { attempt.close(section) }
                }
            }
            // The exception with which XCTest stops a test does not run `defer`, so the section that it left would stay this
            // thread's innermost one. Therefore each attempt begins outside of all sections.
            OpenSection.$innermost.withValue(nil) { super.invokeTest() }
            if !hasThrown { attempt?.methodReturned() }
            verifyAttempt()  // not at the run's end, because the report attached below includes it
            announceFlake(showFlake)
            attachReportOfAttempt()
        }

        func makeRetry(after attempt: Attempt) -> XCTestCase {
            // `init(selector:)` comes from Objective-C: Swift calls it on XCTestCase's metatype alone, whatever that holds.
            let base: XCTestCase.Type = type(of: self)
            let selector = method?.addRetry(to: base, after: attempt)
            let retry = base.init(selector: selector ?? NSSelectorFromString(name))
            if let retry = retry as? RetryableTestCase { prepareRetry(retry) }
            return retry
        }

        // MARK: - Failures

        open override func record(_ issue: XCTIssue) {
            guard let attempt, testRun is JudgingRun, issue.failsTest else { return super.record(issue) }
            let sections = issue.sections(in: attempt)
            if method?.suspends == true,
                attempt.predict(issue.forReport, in: sections, isExplained: isExplained(issue)).isSuppressed
            {
                // XCTest does not stop a test that suspends by an exception, and asserts if it stops one that has not failed.
                // So XCTest goes on, and the `flaky` around throws at the section's end.
                stopsInsteadOfXCTest = stopsAtFailure
                continueAfterFailure = true
            }
            var issue = issue
            issue.add(AttachedSections(sections))
            super.record(issue)
        }

        /// Decides about a failure that is to be recorded in this test's XCTestRun.
        ///
        /// - Parameter sections: The sections that it is inside of; `nil` if they are not known yet.
        func judgeRecorded(_ issue: XCTIssue, in sections: [Section]?) -> Verdict {
            guard let attempt else { return .real() }
            if issue.type == .thrownError { hasThrown = true }
            let (failure, sections) = (issue.forReport, sections ?? issue.sections(in: attempt))
            let isExplained = isExplained(issue)
            // The stop is no failure of its own, so nothing is noted of it.
            if issue.associatedError is StoppedAfterFlake, attempt.needsRetry {
                return attempt.predict(failure, in: sections, isExplained: true)
            }
            return attempt.judge(failure, in: sections, isExplained: isExplained, stopsAtFailure: stopsAtFailure)
        }

        /// An error has cut the method short, so this expectation was not waited for.
        ///
        /// XCTest checks the expectations after the method has returned, and before it calls this class. It never reports an error
        /// of `XCTUnwrap`, so one that left a section is the only sign that the method threw.
        private func isExplained(_ issue: XCTIssue) -> Bool {
            guard issue.forReport.isOfUnwaitedExpectation, let attempt, !attempt.hasReturned else { return false }
            return hasThrown || !attempt.errorsOutsideOfMethod.isEmpty
        }
    }
#endif
