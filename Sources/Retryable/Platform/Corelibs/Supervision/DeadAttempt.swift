#if !canImport(ObjectiveC)
    import RetryCore
    import RetryReport
    import XCTest

    /// Reports the end of an attempt whose process died, as XCTest reports one that failed or was skipped.
    final class DeadAttempt: XCTestCase {
        /// How it ended.
        enum End {
            /// The flake, and the line that announces it.
            case flaked(Flake, String)
            /// The failure, and how many failures there were before.
            case failed(String, before: Int)
        }

        var end: End?
        /// The next attempt, if it has flaked.
        var next: QueuedTest?
        private var test: XCTestCase?
        /// When it began; `nil` if it had not.
        fileprivate var start: Date?

        convenience init(of test: XCTestCase, since start: Date?) {
            self.init(name: "") { test in
                guard case .flaked(let flake, let text) = (test as? DeadAttempt)?.end,
                    case .xctest(let file, let line) = flake.section.site
                else { return }
                throw XCTSkip(text, file: file, line: line)
            }
            self.test = test
            self.start = start
        }

        override var name: String { test?.name ?? super.name }
        override var testRunClass: AnyClass? { DeadRun.self }

        override func invokeTest() {
            guard case .failed(let message, _) = end else { return super.invokeTest() }
            (testRun as? XCTestCaseRun)?
                .recordFailure(withDescription: message, inFile: "<unknown>", atLine: 0, expected: true)
        }
    }

    /// The run of an attempt that has died. XCTest has reported its start and earlier failures; they are not reported again.
    private final class DeadRun: XCTestCaseRun {
        private var attempt: DeadAttempt? { test as? DeadAttempt }

        override var startDate: Date? { attempt?.start ?? super.startDate }

        override var failureCount: Int {
            guard case .failed(_, let before) = attempt?.end else { return 0 }
            return before + 1
        }

        override func start() {
            if attempt?.start == nil { super.start() }
        }
    }
#endif
