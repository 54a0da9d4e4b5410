#if !canImport(ObjectiveC)
    import RetryCore
    import RetryReport
    import XCTest

    /// A test case whose flaky sections are retried, and only those.
    ///
    /// Subclass it instead of `XCTestCase`, and mark the part of a test that flakes with `flaky(_:_:)`. A failure inside
    /// is suppressed, and the test is run again after the others; everything else works as it does with `XCTestCase`.
    open class RetryableTestCase: XCTestCase {
        // A run has as many instances as tests, so that each keeps no more than it needs.
        private let testBody: XCTestCaseClosure
        private var stopsAtFailure = false
        private var hasShownFlake = false

        /// What happened to this test before; `nil` on the first attempt.
        var story: Story?

        /// The attempt that this instance is for; `nil` until it runs.
        private(set) var attempt: Attempt?

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

        /// Whether the test goes on after a failure; as on Apple's systems, `true` until it is set.
        ///
        /// With `false`, a `flaky` whose section can throw ends the test when the section has flaked. A real failure
        /// ends nothing, because Swift leaves XCTest no means to do so on this system.
        open override var continueAfterFailure: Bool {
            get { !stopsAtFailure || Self.isPassingOn }
            set { stopsAtFailure = !newValue }
        }

        /// The class of the run of an attempt: one that can still fail when everything else has ended.
        open override var testRunClass: AnyClass? { SettlingRun.self }

        open override func perform(_ run: XCTestRun) {
            attempt = Attempt(retryCount: retryCount)
            CurrentSections.none { super.perform(run) }
            conclude(run, hasShown: hasShownFlake)
        }

        open override func recordFailure(
            withDescription description: String,
            inFile filePath: String,
            atLine lineNumber: Int,
            expected: Bool
        ) {
            let failure = ReportedFailure(description, file: filePath, line: lineNumber, expected: expected)
            switch verdict(on: failure) {
            case .flake, .aftermath: break
            case .real: pass(on: failure)
            case .refused(let refusal): pass(on: failure.adding(refusal.note))
            }
        }

        // MARK: - One attempt

        /// The verdict on an error that XCTest is about to report, where this class has seen the error itself.
        private var verdictOnThrown: Boxed<Verdict>?

        /// Runs the test method, and shows an attempt that flaked as skipped.
        private func performBody() throws {
            guard let attempt else { return try testBody(self) }
            attempt.forgetErrors()  // whatever left a section in `setUp` has been dealt with
            defer {
                attempt.noteBodyEnd()
                attempt.forgetErrors()
            }
            do {
                try testBody(self)
            } catch {
                try end(attempt, with: error)
            }
            guard let announcement = announce(), let section = attempt.flake?.section else { return }
            hasShownFlake = true
            throw XCTSkip(announcement, file: section.file, line: section.line)
        }

        /// Decides about an error that ended the test method; throws it if XCTest is to have it.
        private func end(_ attempt: Attempt, with error: any Error) throws {
            let isFailure = !(error is XCTSkip || error is StoppedAfterFlake || error.isRecordedByXCTUnwrap)
            if isFailure {
                let sections = attempt.sectionsLeft(by: error)
                let isAftermath = attempt.isFlaky && !continueAfterFailure
                // Whatever else it is, it is real, and XCTest is about to say so.
                guard !sections.isEmpty || isAftermath else { throw error }
                let verdict = record(
                    Failure(message: "threw error \"\(error)\"", file: nil, line: nil, kind: .error),
                    in: sections,
                    of: attempt
                )
                guard attempt.isFlaky else {
                    verdictOnThrown = Boxed(verdict)
                    throw error
                }
            }
            guard attempt.isFlaky else { throw error }
            attempt.noteCut()
        }

        private func verdict(on failure: ReportedFailure) -> Verdict {
            guard let attempt else { return .real }
            if failure.isThrown, let verdict = verdictOnThrown?.value {
                verdictOnThrown = nil
                return verdict
            }
            // Our own means to stop a test is no failure of anybody's.
            if attempt.isFlaky, !failure.expected, failure.description.contains(StoppedAfterFlake().description) {
                attempt.noteCut()
                return .aftermath
            }
            let verdict = record(
                failure.forReport,
                in: failure.sectionsLeft(in: attempt),
                isOfUnwaitedExpectation: failure.isOfUnwaitedExpectation,
                of: attempt
            )
            if failure.isThrown {
                attempt.forgetErrors()
                if attempt.isFlaky { attempt.noteCut() }
            }
            return verdict
        }

        private func record(
            _ failure: Failure,
            in sections: [Section]?,
            isOfUnwaitedExpectation: Bool = false,
            of attempt: Attempt
        ) -> Verdict {
            attempt.record(
                failure,
                in: sections,
                stopsAtFailure: !continueAfterFailure,
                isOfUnwaitedExpectation: isOfUnwaitedExpectation,
                canRunAgain: { story != nil || RunningSuites.contain(self) },
                refusal: Ledger.shared.refusal
            )
        }

        // MARK: - What the shared part needs

        var reportName: TestName {
            TestName(of: self)
        }

        /// Fails a retry that did not show that the test passes.
        func settleAtEnd() {
            settle(hasRun: attempt?.bodyHasEnded ?? false)
        }

        /// Fails the test, whatever section it is in.
        func fail(_ message: String, at place: Place) {
            pass(on: ReportedFailure(message, file: place.file, line: place.line, expected: true))
        }

        func queued(for next: Story) -> QueuedTest {
            let testClass = type(of: self)
            return QueuedTest(testClass: testClass) { [nameOfMethod, testBody] in
                let test = testClass.init(name: nameOfMethod, testClosure: testBody)
                test.story = next
                return test
            }
        }

        /// Whether this thread is handing a failure to XCTest.
        @TaskLocal private static var isPassingOn = false

        /// Hands a failure to XCTest.
        ///
        /// XCTest would end the process if it found that the test should stop here, which it cannot make it do. So it
        /// finds that the test goes on; or, where a subclass insists that it does not, its run is told instead.
        private func pass(on failure: ReportedFailure) {
            Self.$isPassingOn.withValue(true) {
                guard continueAfterFailure else {
                    (testRun as? XCTestCaseRun)?.recordFailure(
                        withDescription: failure.description,
                        inFile: failure.file,
                        atLine: failure.line,
                        expected: failure.expected
                    )
                    return
                }
                super.recordFailure(
                    withDescription: failure.description,
                    inFile: failure.file,
                    atLine: failure.line,
                    expected: failure.expected
                )
            }
        }
    }

    /// A value that is seldom there, and then takes the room.
    private final class Boxed<Value> {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    extension Error {
        /// Whether this is what `XCTUnwrap` throws after it has recorded its failure; XCTest records it no second time.
        fileprivate var isRecordedByXCTUnwrap: Bool {
            String(reflecting: type(of: self)) == "XCTest.XCTestErrorWhileUnwrappingOptional"
        }
    }
#endif
