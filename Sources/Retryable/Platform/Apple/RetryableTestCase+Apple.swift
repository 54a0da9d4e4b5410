#if canImport(ObjectiveC)
    import RetryCore
    import RetryReport
    import XCTest

    /// A test case whose flaky sections are retried, and only those.
    ///
    /// Subclass it instead of `XCTestCase`, and mark the part of a test that flakes with `flaky(_:_:)`. A failure inside
    /// is suppressed, and the test is run again after the others; everything else works as it does with `XCTestCase`.
    open class RetryableTestCase: XCTestCase {
        // Required by PlatformTestCase.
        var attempt: Attempt?
        var hasShownFlake = false
        var previousFlake: PreviousFlake? { method?.previousFlake }

        /// The method that this instance runs. Lazy, because the invocation need not be set before the attempt begins.
        private lazy var method = invocation.map { AttemptedMethod.find($0.selector, of: type(of: self)) }

        /// Whether `flaky` has to stop the test after its flake, because XCTest cannot.
        private var stopsInsteadOfXCTest = false

        /// The tests of this class. XCTest asks every class for them before anything runs, so the observer is
        /// registered here.
        open override class var defaultTestSuite: XCTestSuite {
            RetryObserver.register()
            return super.defaultTestSuite
        }

        /// The class of the run of an attempt. It is not open: the run decides, when all else has ended, whether an attempt
        /// has passed.
        public final override var testRunClass: AnyClass? { JudgingRun.self }

        open override func invokeTest() {
            if method?.suspends == true { attempt?.adoptNextTask() }
            // The exception with which XCTest stops a test does not run `defer`, so the section that it left would stay this
            // thread's innermost one. Therefore each attempt begins outside of all sections.
            CurrentSections.none { super.invokeTest() }
            endMethod()
            if let testRun { settle(testRun) }  // not at the run's end, because the report attached below includes it
            announce(addActivity)
            attachReport()
        }

        /// Notes how the test method ended. XCTest records the errors that it throws, except those of `XCTUnwrap`, which are
        /// recorded already: if nothing was recorded in this attempt, that was in another one.
        private func endMethod() {
            guard let attempt else { return }
            if attempt.failures.isEmpty, case .error? = attempt.matchedError(at: nil, \.isRecordedWhereThrown) {
                let message = "an error of XCTUnwrap left the section, and its failure was recorded elsewhere"
                attempt.endMethod(.threw(Failure(unplaced: message)))
            } else {
                attempt.endMethod(.returned)
            }
        }

        open override func record(_ issue: XCTIssue) {
            guard let attempt, let run = testRun as? JudgingRun, issue.failsTest else { return super.record(issue) }
            let sections = issue.sections(in: attempt)
            if method?.suspends == true, attempt.suppresses(issue.forReport, in: sections),
                !ProcessRun.shared.settings.isStrict
            {
                // XCTest does not stop a test that suspends by an exception, and asserts if it stops one that has not failed.
                // So XCTest is told to go on, and the `flaky` around throws at the section's end.
                stopsInsteadOfXCTest = stopsAtFailure
                continueAfterFailure = true
            }
            super.record(run.note(sections, of: issue))
        }

        /// Says what becomes of a failure.
        ///
        /// - Parameter sections: The sections that it is inside of, innermost first; `nil` if nobody has looked yet.
        func judge(_ issue: XCTIssue, in sections: [Section]?) -> Verdict {
            guard let attempt, method != nil else { return .real }  // without a method it could not be made again
            if issue.associatedError is StoppedAfterFlake {
                attempt.cutShort()
                return .aftermath
            }
            if issue.tellsOfUnwaitedExpectation {
                // XCTest looks for them when the method has returned, and before this class hears of it. An error that
                // `XCTUnwrap` threw is never reported, so one that left a section is all there is to know of it.
                if attempt.hasEscapedError, attempt.needsRetry { attempt.cutShort() }
            }
            let verdict = judge(
                issue.forReport,
                in: sections ?? issue.sections(in: attempt),
                isOfUnwaitedExpectation: issue.tellsOfUnwaitedExpectation
            )
            if issue.type == .thrownError, attempt.needsRetry { attempt.cutShort() }
            return verdict
        }
    }

    extension RetryableTestCase: PlatformTestCase {
        var stopsAtFailure: Bool { stopsInsteadOfXCTest || !continueAfterFailure }

        var reportName: TestName {
            previousFlake?.test ?? TestName(of: method?.name ?? name, in: type(of: self))
        }

        func fail(_ failure: Failure, in run: XCTestRun) {
            let place = Place(file: failure.file ?? "", line: failure.line ?? 0)
            (run as? JudgingRun)?.recordForReal(XCTIssue(failure.message, at: place))
        }

        func queued(after previousFlake: PreviousFlake) -> QueuedTest {
            // `init(selector:)` comes from Objective-C: Swift calls it on XCTestCase's metatype alone, whatever that holds.
            let base: XCTestCase.Type = type(of: self)
            let selector = method?.added(to: base, after: previousFlake).selector
            return QueuedTest(testClass: base, previousFlake: previousFlake) {
                base.init(selector: selector ?? NSSelectorFromString(previousFlake.test.name))
            }
        }
    }
#endif
