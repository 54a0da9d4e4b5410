// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A case, and the methods of which cases are made. See the README: this is a double.

import Interruption

open class XCTestCase: XCTest {
    open var invocation: NSInvocation?
    open var continueAfterFailure = true

    var expectations: [ExpectedFailure] = []

    /// The methods of this class by their selectors: what Objective-C's runtime knows on Apple's systems.
    open class var testMethods: TestMethods { [] }

    public required init(selector: Selector) {
        invocation = NSInvocation(selector: selector)
        TestMethod.declareMethods(of: type(of: self))
    }

    open override var name: String { "-[\(type(of: self)) \(invocation?.selector.description ?? "")]" }
    open override var testRunClass: AnyClass? { XCTestCaseRun.self }

    open class func setUp() {}
    open class func tearDown() {}

    open class var defaultTestSuite: XCTestSuite { ClassSuite(of: self) }

    open override func perform(_ run: XCTestRun) {
        run.start()
        RunningCase.with(self) { invokeTest() }
        run.stop()
    }

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
    /// Failures of elements begin here, and do not pass through ``record(_:)``.
    func handle(_ issue: XCTIssue) {
        let recordedBefore = testRun?.totalFailureCount
        if let index = expectations.indices.last {
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

    @preconcurrency
    public func addTeardownBlock(_ block: @escaping @MainActor @Sendable () throws -> Void) {
        teardownBlocks.append { try MainActor.assumeIsolated(block) }
    }

    public func addTeardownBlock(_ block: @escaping @Sendable () async throws -> Void) {
        teardownBlocks.append { try waiting(for: block) }
    }

    // MARK: - Expectations

    private var unwaited: [XCTestExpectation] = []

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
        var body = body
        withUnsafeMutablePointer(to: &body) { body in
            _ = interruption_run({ $0?.load(as: (() -> Void).self)() }, body)
        }
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

/// The test methods of a class, by their selectors.
public typealias TestMethods = [(selector: String, method: TestMethod)]

/// A test method, as a table of methods holds it. See the README: methods are found without Objective-C here.
public final class TestMethod {
    let run: (XCTestCase) throws -> Void
    let suspends: Bool

    private init(suspends: Bool, run: @escaping (XCTestCase) throws -> Void) {
        self.run = run
        self.suspends = suspends
    }

    public static func sync<Test: XCTestCase>(_ method: @escaping (Test) -> () throws -> Void) -> TestMethod {
        TestMethod(suspends: false) { test in
            if let test = test as? Test { try method(test)() }
        }
    }

    /// A method that suspends, run in a task of its own while the main thread waits.
    public static func async<Test: XCTestCase>(_ method: @escaping (Test) -> () async throws -> Void) -> TestMethod {
        TestMethod(suspends: true) { test in
            guard let test = test as? Test else { return }
            try waiting(for: method(test))
        }
    }

    /// Makes Objective-C's runtime know what the table of a class says.
    static func declareMethods(of testClass: XCTestCase.Type) {
        for (name, method) in testClass.testMethods where MethodTable.body(of: Selector(name), in: testClass) == nil {
            MethodTable.add(method, named: Selector(name), to: testClass)
        }
    }
}

/// Runs what suspends in a task of its own, while the main thread waits.
func waiting(for body: @escaping () async throws -> Void) throws {
    let result = Outcome()
    nonisolated(unsafe) let body = body
    let call: @Sendable () async -> Void = {
        do { try await body() } catch { result.error = error }
        result.done.signal()
    }
    Task.detached(operation: call)
    while result.done.wait(timeout: .now()) == .timedOut {
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001))
    }
    if let error = result.error { throw error }
}

private final class Outcome: @unchecked Sendable {
    // `error` is written before `done` is signalled, and read after.
    let done = DispatchSemaphore(value: 0)
    var error: (any Error)?
}
