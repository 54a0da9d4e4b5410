// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Tests, suites and their runs. See the README: this is a double.

open class XCTest: NSObject {
    open var name: String { "" }
    open var testRunClass: AnyClass? { XCTestRun.self }
    open internal(set) var testRun: XCTestRun?

    open func perform(_ run: XCTestRun) {}

    open func run() {
        guard let runClass = testRunClass as? XCTestRun.Type else { return }
        let run = runClass.init(test: self)
        testRun = run
        perform(run)
    }

    open func setUp() {}
    open func setUpWithError() throws {}
    open func tearDown() {}
    open func tearDownWithError() throws {}
}

open class XCTestSuite: XCTest {
    private let suiteName: String
    open private(set) var tests: [XCTest] = []

    public init(name: String) { suiteName = name }

    open override var name: String { suiteName }
    open override var testRunClass: AnyClass? { XCTestSuiteRun.self }

    open func addTest(_ test: XCTest) { tests.append(test) }

    open override func perform(_ run: XCTestRun) {
        guard let run = run as? XCTestSuiteRun else { return }
        run.start()
        setUp()
        for test in tests {  // as they are now that the start is reported
            for test in XCTestRunner.repetitions(of: test) {
                test.run()
                if let testRun = test.testRun { run.addTestRun(testRun) }
            }
        }
        tearDown()
        run.stop()
    }
}

open class XCTestRun: NSObject {
    public let test: XCTest
    open private(set) var startDate: Date?
    open private(set) var stopDate: Date?
    open var failureCount: Int { ownFailures }
    open var unexpectedExceptionCount: Int { ownErrors }
    open var executionCount: Int { stopDate == nil ? 0 : 1 }
    open var skipCount: Int { hasBeenSkipped ? 1 : 0 }
    open internal(set) var hasBeenSkipped = false

    private var ownFailures = 0
    private var ownErrors = 0

    public required init(test: XCTest) { self.test = test }

    open var totalFailureCount: Int { failureCount + unexpectedExceptionCount }
    open var hasSucceeded: Bool { stopDate != nil && totalFailureCount == 0 }

    open var totalDuration: TimeInterval { stopDate?.timeIntervalSince(startDate ?? Date()) ?? 0 }

    open func start() { startDate = Date() }
    open func stop() { stopDate = Date() }

    open func record(_ issue: XCTIssue) {
        guard issue.isFailure else { return }
        if issue.type == .thrownError || issue.type == .uncaughtException { ownErrors += 1 } else { ownFailures += 1 }
    }
}

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

open class XCTestSuiteRun: XCTestRun {
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
