import Interruption

/// A case of a test. See the README: this is a double.
open class XCTestCase: XCTest {
    /// The call of the test method.
    open var invocation: NSInvocation?
    /// Whether a test goes on after a failure.
    open var continueAfterFailure = true

    var expectations: [ExpectedFailure] = []

    /// The methods of this class by their selectors: what Objective-C's runtime knows on Apple's systems.
    open class var testMethods: [(selector: String, method: TestMethod)] { [] }

    /// Makes a case of a method.
    public required init(selector: Selector) {
        invocation = NSInvocation(selector: selector)
        TestMethod.areKnown
    }

    open override var name: String { "-[\(type(of: self)) \(invocation?.selector.description ?? "")]" }
    open override var testCaseCount: Int { 1 }
    open override var testRunClass: AnyClass? { XCTestCaseRun.self }

    /// Called before all tests of the class.
    open class func setUp() {}
    /// Called after all tests of the class.
    open class func tearDown() {}

    /// The tests of this class.
    open class var defaultTestSuite: XCTestSuite { ClassSuite(of: self) }

    open override func perform(_ run: XCTestRun) {
        run.start()
        RunningCase.with(self) { invokeTest() }
        run.stop()
    }

    /// Performs set up, the test method and tear down.
    open func invokeTest() {
        let method = method
        interruptible { [self] in
            guarded {
                try setUpWithError()
                setUp()
                try method?.run(self)
            }
        }
        for block in teardownBlocks.reversed() { interruptible { [self] in guarded(block) } }
        teardownBlocks = []
        interruptible { [self] in
            guarded {
                tearDown()
                try tearDownWithError()
            }
        }
        for expectation in unwaited {
            let text = "Failed due to unwaited expectation '\(expectation.expectationDescription)'."
            interruptible { [self] in record(XCTIssue(type: .assertionFailure, compactDescription: text)) }
        }
    }

    /// What the test is made of.
    private var method: TestMethod? {
        invocation.flatMap { MethodTable.body(of: $0.selector, in: type(of: self)) as? TestMethod }
    }

    /// Records an issue. Every assertion does so, and an override can suppress it by not calling this.
    open func record(_ issue: XCTIssue) { handle(issue) }

    /// What becomes of an issue: it is expected, or the run has it; then the test stops, if it should not go on after it.
    /// Failures of elements begin here, and are never heard of by ``record(_:)``.
    func handle(_ issue: XCTIssue) {
        let recordedBefore = testRun?.totalFailureCount
        if let index = expectations.lastIndex(where: { $0.options.isEnabled && $0.options.issueMatcher(issue) }) {
            expectations[index].isMet = true
            let failure = XCTExpectedFailure(failureReason: expectations[index].reason, issue: issue)
            XCTestObservationCenter.shared.tell { $0.testCase(self, didRecord: failure) }
        } else {
            testRun?.record(issue)
        }
        guard issue.isFailure, !continueAfterFailure else { return }
        if method?.suspends == true {
            // XCTest has no exception to stop such a test with, and does not expect one that has not failed.
            if testRun?.totalFailureCount == recordedBefore { fatalError("XCTest asserts that the test has failed") }
        } else if Thread.isMainThread {
            interruption_raise()
            fatalError("XCTest's exception is not caught by anybody")
        }
    }

    // MARK: - Tearing down

    private var teardownBlocks: [() throws -> Void] = []

    /// Adds a block to run on the main thread after the test method, before `tearDown`.
    @preconcurrency
    public func addTeardownBlock(_ block: @escaping @MainActor @Sendable () throws -> Void) {
        teardownBlocks.append { try MainActor.assumeIsolated(block) }
    }

    /// Adds a block that suspends.
    public func addTeardownBlock(_ block: @escaping @Sendable () async throws -> Void) {
        teardownBlocks.append { try waiting(for: block) }
    }

    // MARK: - Expectations

    private var unwaited: [XCTestExpectation] = []

    /// Makes an expectation.
    open func expectation(description: String) -> XCTestExpectation {
        let expectation = XCTestExpectation(description: description)
        unwaited.append(expectation)
        return expectation
    }

    // MARK: - The method

    /// Deals with what a test throws.
    private func guarded(_ body: () throws -> Void) {
        do {
            try body()
        } catch let skip as XCTSkip {
            testRun?.hasBeenSkipped = true
            print("  skipped \(name): \(skip.message ?? "")")
        } catch is XCTestErrorWhileUnwrappingOptional {
            return  // recorded where it was thrown
        } catch {
            record(
                XCTIssue(
                    type: .thrownError,
                    compactDescription: "failed: caught error: \"\(error)\"",
                    associatedError: error
                )
            )
        }
    }

    private func interruptible(_ body: @escaping () -> Void) {
        let box = Box(body)
        let context = Unmanaged.passUnretained(box).toOpaque()
        _ = interruption_run(
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().body() }
            },
            context
        )
        withExtendedLifetime(box) {}
    }

    private final class Box {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }
}

/// The suite of a class, which runs the class's own `setUp` and `tearDown`.
private final class ClassSuite: XCTestSuite {
    private let testClass: XCTestCase.Type

    init(of testClass: XCTestCase.Type) {
        self.testClass = testClass
        super.init(name: "\(testClass)")
        for method in testClass.testMethods { addTest(testClass.init(selector: Selector(method.selector))) }
    }

    override func setUp() { testClass.setUp() }
    override func tearDown() { testClass.tearDown() }
}

/// The case that is running.
enum RunningCase {
    // Set on the main thread alone, while nothing else of a test runs.
    nonisolated(unsafe) private(set) static var current: XCTestCase?

    static func with(_ test: XCTestCase, _ body: () -> Void) {
        let outer = current
        current = test
        body()
        current = outer
    }
}
