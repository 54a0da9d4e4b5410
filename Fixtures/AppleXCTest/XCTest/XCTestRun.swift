/// What one execution of a test came to. See the README: this is a double.
open class XCTestRun: NSObject {
    /// The test.
    public let test: XCTest
    /// When the test began.
    open private(set) var startDate: Date?
    /// When the test ended.
    open private(set) var stopDate: Date?
    /// Failed assertions.
    open var failureCount: Int { ownFailures }
    /// Thrown errors and exceptions.
    open var unexpectedExceptionCount: Int { ownErrors }
    /// How many cases have been executed.
    open var executionCount: Int { stopDate == nil ? 0 : 1 }
    /// How many cases have been skipped.
    open var skipCount: Int { hasBeenSkipped ? 1 : 0 }
    /// Whether the test was skipped.
    open internal(set) var hasBeenSkipped = false

    private var ownFailures = 0
    private var ownErrors = 0

    /// Makes the run of a test.
    public required init(test: XCTest) { self.test = test }

    /// All that failed.
    open var totalFailureCount: Int { failureCount + unexpectedExceptionCount }
    /// Whether nothing failed.
    open var hasSucceeded: Bool { stopDate != nil && totalFailureCount == 0 }

    /// How long the test took, in seconds.
    open var totalDuration: TimeInterval { stopDate?.timeIntervalSince(startDate ?? Date()) ?? 0 }

    /// Begins.
    open func start() { startDate = Date() }
    /// Ends.
    open func stop() { stopDate = Date() }

    /// Counts an issue.
    open func record(_ issue: XCTIssue) {
        guard issue.isFailure else { return }
        if issue.type == .thrownError || issue.type == .uncaughtException { ownErrors += 1 } else { ownFailures += 1 }
    }
}

/// The run of a case.
open class XCTestCaseRun: XCTestRun {
    open override func start() {
        super.start()
        if let test = test as? XCTestCase { XCTestObservationCenter.shared.tell { $0.testCaseWillStart(test) } }
    }

    open override func stop() {
        super.stop()
        if let test = test as? XCTestCase { XCTestObservationCenter.shared.tell { $0.testCaseDidFinish(test) } }
    }

    open override func record(_ issue: XCTIssue) {
        super.record(issue)
        if let test = test as? XCTestCase {
            XCTestObservationCenter.shared.tell { $0.testCase(test, didRecord: issue) }
        }
    }
}

/// The run of a suite.
open class XCTestSuiteRun: XCTestRun {
    /// The runs of the suite's tests.
    open private(set) var testRuns: [XCTestRun] = []

    /// Adds the run of a test. Whether one that comes after the end counts is not known, so here it does not.
    open func addTestRun(_ testRun: XCTestRun) {
        if stopDate == nil { testRuns.append(testRun) }
    }

    open override var failureCount: Int { sum(\.failureCount) }
    open override var unexpectedExceptionCount: Int { sum(\.unexpectedExceptionCount) }
    open override var executionCount: Int { sum(\.executionCount) }
    open override var skipCount: Int { sum(\.skipCount) }

    open override func start() {
        super.start()
        if let suite = test as? XCTestSuite { XCTestObservationCenter.shared.tell { $0.testSuiteWillStart(suite) } }
    }

    open override func stop() {
        super.stop()
        if let suite = test as? XCTestSuite { XCTestObservationCenter.shared.tell { $0.testSuiteDidFinish(suite) } }
    }

    open override var totalDuration: TimeInterval { testRuns.map(\.totalDuration).reduce(0, +) }

    private func sum(_ count: (XCTestRun) -> Int) -> Int { testRuns.map(count).reduce(0, +) }
}
