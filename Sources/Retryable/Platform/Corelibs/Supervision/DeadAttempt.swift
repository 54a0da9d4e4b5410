#if !canImport(ObjectiveC)
    import RetryCore
    import RetryReport
    import XCTest

    /// Ends an attempt that has died, as XCTest would end one that has failed or been skipped.
    final class DeadAttempt: XCTestCase {
        private var test: XCTestCase?
        /// When it began, if it had.
        fileprivate var start: Date?
        /// What it flaked with, and the line that says so.
        var flake: (flake: Flake, text: String)?
        /// What it failed with, if it has not flaked, and how often it had failed before.
        var failure: (message: String, before: Int)?

        convenience init(of test: XCTestCase, since start: Double?) {
            self.init(name: "") { test in
                guard let (flake, text) = (test as? DeadAttempt)?.flake,
                    case .xctest(let file, let line) = flake.section.site
                else { return }
                throw XCTSkip(text, file: file, line: line)
            }
            self.test = test
            self.start = start.map { Date(timeIntervalSince1970: $0) }
        }

        override var name: String { test?.name ?? super.name }
        override var testRunClass: AnyClass? { DeadRun.self }

        override func invokeTest() {
            guard let failure else { return super.invokeTest() }
            (testRun as? XCTestCaseRun)?
                .recordFailure(withDescription: failure.message, inFile: "<unknown>", atLine: 0, expected: true)
        }
    }

    /// The run of an attempt that has died. XCTest has reported its start and earlier failures; they are not reported again.
    private final class DeadRun: XCTestCaseRun {
        private var attempt: DeadAttempt? { test as? DeadAttempt }

        override var startDate: Date? { attempt?.start ?? super.startDate }
        override var failureCount: Int { attempt?.failure.map { $0.before + 1 } ?? 0 }

        override func start() {
            if attempt?.start == nil { super.start() }
        }
    }

    /// A suite that had begun when its process died, and goes on in this one.
    final class ResumedSuite: XCTestSuite {
        /// What it had come to.
        var totals = Totals()
        /// Runs what is left of it.
        var body: (RetrySuiteRun) -> Void = { _ in }

        override var testRunClass: AnyClass? { ResumedSuiteRun.self }

        override func perform(_ run: XCTestRun) {
            guard let run = run as? RetrySuiteRun else { return }
            run.start()
            body(run)
            run.stop()
        }
    }

    private final class ResumedSuiteRun: RetrySuiteRun {
        private let begin = Date()

        required init(test: XCTest) {
            super.init(test: test)
            totals = (test as? ResumedSuite)?.totals ?? Totals()
        }

        override var startDate: Date? { begin }
        override func start() {}
    }
#endif
