/// A test: a case or a suite. See the README: this is a double.
open class XCTest: NSObject {
    /// The name of the test.
    open var name: String { "" }
    /// How many cases there are.
    open var testCaseCount: Int { 0 }
    /// The class of the test's run.
    open var testRunClass: AnyClass? { XCTestRun.self }
    /// The run of the test, once it has begun.
    open internal(set) var testRun: XCTestRun?

    /// Performs the test in a run.
    open func perform(_ run: XCTestRun) {}

    /// Makes a run and performs the test in it.
    open func run() {
        guard let runClass = testRunClass as? XCTestRun.Type else { return }
        let run = runClass.init(test: self)
        testRun = run
        perform(run)
    }

    /// Called before the test.
    open func setUp() {}
    /// Called before the test; an error fails it.
    open func setUpWithError() throws {}
    /// Called before the test; an error fails it.
    open func setUp() async throws {}
    /// Called after the test.
    open func tearDown() {}
    /// Called after the test; an error fails it.
    open func tearDownWithError() throws {}
    /// Called after the test; an error fails it.
    open func tearDown() async throws {}
}

/// A test of tests.
open class XCTestSuite: XCTest {
    private let suiteName: String
    /// The tests, in order.
    open private(set) var tests: [XCTest] = []

    /// Makes an empty suite.
    public init(name: String) { suiteName = name }

    open override var name: String { suiteName }
    open override var testCaseCount: Int { tests.map(\.testCaseCount).reduce(0, +) }
    open override var testRunClass: AnyClass? { XCTestSuiteRun.self }

    /// Adds a test as the last.
    open func addTest(_ test: XCTest) { tests.append(test) }

    open override func perform(_ run: XCTestRun) {
        guard let run = run as? XCTestSuiteRun else { return }
        run.start()
        setUp()
        for test in tests {  // as they are now that everybody has heard of the start
            for test in XCTestRunner.repetitions(of: test) {
                test.run()
                if let testRun = test.testRun { run.addTestRun(testRun) }
            }
        }
        tearDown()
        run.stop()
    }
}
