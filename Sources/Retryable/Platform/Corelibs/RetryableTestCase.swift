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
        fileprivate let testBody: XCTestCaseClosure
        private var isToldToStop = false

        // What a platform has to give, as PlatformTestCase tells.
        var story: Story?
        var attempt: Attempt?
        var hasShownFlake = false

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
            get { !isToldToStop || Self.isPassingOn }
            set { isToldToStop = !newValue }
        }

        /// The class of the run of an attempt. It is not open: the run decides, when all else has ended, whether an attempt
        /// has passed.
        public final override var testRunClass: AnyClass? { AttemptRun.self }

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
            defer { attempt.forgetErrors() }
            do {
                try testBody(self)
                attempt.endMethod(returning: true)
            } catch {
                attempt.endMethod(returning: false)
                try end(attempt, with: error)
            }
            try announce { flake, line in
                throw XCTSkip(line, file: flake.section.file, line: flake.section.line)
            }
        }

        /// Decides about an error that ended the test method; throws it if XCTest is to have it.
        private func end(_ attempt: Attempt, with error: any Error) throws {
            let isFailure = !(error is XCTSkip || error is StoppedAfterFlake || error.isRecordedByXCTUnwrap)
            if isFailure {
                let sections = attempt.sectionsLeft(by: error)
                let isAftermath = attempt.isFlaky && !continueAfterFailure
                // Whatever else it is, it is real, and XCTest is about to say so.
                guard !sections.isEmpty || isAftermath else { throw error }
                let verdict = judge(
                    Failure(message: "threw error \"\(error)\"", file: nil, line: nil, kind: .error),
                    in: sections
                )
                guard attempt.isFlaky else {
                    verdictOnThrown = Boxed(verdict)
                    throw error
                }
            }
            guard attempt.isFlaky else { throw error }
            attempt.cutShort()
        }

        private func verdict(on failure: ReportedFailure) -> Verdict {
            guard let attempt else { return .real }
            if failure.isThrown, let verdict = verdictOnThrown?.value {
                verdictOnThrown = nil
                return verdict
            }
            // Our own means to stop a test is no failure of anybody's.
            if attempt.isFlaky, !failure.expected, failure.description.contains(StoppedAfterFlake().description) {
                attempt.cutShort()
                return .aftermath
            }
            let verdict = judge(
                failure.forReport,
                in: failure.sectionsLeft(in: attempt),
                isOfUnwaitedExpectation: failure.isOfUnwaitedExpectation
            )
            if failure.isThrown {
                attempt.forgetErrors()
                if attempt.isFlaky { attempt.cutShort() }
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

    extension RetryableTestCase: PlatformTestCase {
        var reportName: TestName { TestName(of: self) }

        var stopsAtFailure: Bool { !continueAfterFailure }

        func fail(_ message: String, at place: Place, in run: XCTestRun) {
            (run as? XCTestCaseRun)?.recordFailure(
                withDescription: message,
                inFile: place.file,
                atLine: place.line,
                expected: true
            )
        }

        func remaking(with story: Story) -> () -> XCTestCase {
            let testClass = type(of: self)
            return { [nameOfMethod, testBody] in
                let test = testClass.init(name: nameOfMethod, testClosure: testBody)
                test.story = story
                return test
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
