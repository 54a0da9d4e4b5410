// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Runs tests, and tells observers what runs. See the README: this is a double.

/// Runs classes of tests as a bundle does, and prints what happens. Apple's XCTest has no such thing: Xcode does this.
public enum XCTestRunner {
    public struct Options {
        /// Whether the bundle's start is told before any class is asked for its tests.
        public var bundleFirst = false
        /// Whether a test that fails is made again by its selector and repeated, up to three times
        /// (`-retry-tests-on-failure`).
        public var repeatsFailures = false

        public init() {}
    }

    // Set on the main thread before anything runs.
    nonisolated(unsafe) private static var options = Options()

    /// - Returns: Whether everything passed, as Xcode shows it.
    public static func run(_ classes: [XCTestCase.Type], _ options: Options) -> Bool {
        self.options = options
        if options.bundleFirst { XCTestObservationCenter.shared.tell { $0.testBundleWillStart(.main) } }
        let suites = classes.map(\.defaultTestSuite)
        let result = ShownResult()
        XCTestObservationCenter.shared.addTestObserver(result)
        let all = XCTestSuite(name: "All tests")
        suites.forEach(all.addTest)
        if !options.bundleFirst { XCTestObservationCenter.shared.tell { $0.testBundleWillStart(.main) } }
        all.run()
        XCTestObservationCenter.shared.tell { $0.testBundleDidFinish(.main) }
        print("executed \(all.testRun?.executionCount ?? 0), failed \(all.testRun?.totalFailureCount ?? 0)")
        return !result.hasFailure
    }

    /// A test, and copies of it as long as it fails and is to be repeated. A copy knows its selector, and nothing else.
    static func repetitions(of test: XCTest) -> some Sequence<XCTest> {
        sequence(first: (test, 1)) { last in
            guard options.repeatsFailures, last.1 < 3, let test = last.0 as? XCTestCase, let run = test.testRun,
                !run.hasSucceeded, let selector = test.invocation?.selector
            else { return nil }
            return (type(of: test).init(selector: selector), last.1 + 1)
        }.lazy.map(\.0)
    }
}

/// What Xcode shows of a run.
private final class ShownResult: NSObject, XCTestObservation {
    /// How each test ended that is shown: of one that was repeated, the last repetition.
    private var failed: [String: Bool] = [:]
    /// The tests, by name, that have an expected failure. Xcode drops a later failure under the same name.
    private var expected: Set<String> = []

    var hasFailure: Bool { failed.values.contains(true) }

    func testSuiteWillStart(_ testSuite: XCTestSuite) { print("suite \(testSuite.name) begins") }
    func testSuiteDidFinish(_ testSuite: XCTestSuite) { print("suite \(testSuite.name) ends") }

    func testCaseWillStart(_ testCase: XCTestCase) { failed[testCase.name] = false }

    func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {
        let line = issue.sourceCodeContext.location?.lineNumber ?? 0
        let isDropped = expected.contains(testCase.name)
        if issue.isFailure, !isDropped { failed[testCase.name] = true }
        let what = isDropped ? "dropped \(issue.severity)" : "\(issue.severity)"
        print("  \(what) at \(line) in \(testCase.name): \(issue.compactDescription)")
        for attachment in issue.attachments { print("  attached to it: \(attachment.name ?? "?")") }
    }

    func testCase(_ testCase: XCTestCase, didRecord expectedFailure: XCTExpectedFailure) {
        expected.insert(testCase.name)
        print("  expected failure of \(testCase.name): \(expectedFailure.failureReason ?? "")")
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
        guard let run = testCase.testRun else { return }
        let result =
            if failed[testCase.name] == true {
                "failed"
            } else if run.hasBeenSkipped {
                "skipped"
            } else {
                expected.contains(testCase.name) ? "expected failure" : "passed"
            }
        print("\(testCase.name) \(result)")
    }
}

// MARK: - Observers

public protocol XCTestObservation: NSObjectProtocol {
    func testBundleWillStart(_ testBundle: Bundle)
    func testBundleDidFinish(_ testBundle: Bundle)
    func testSuiteWillStart(_ testSuite: XCTestSuite)
    func testSuiteDidFinish(_ testSuite: XCTestSuite)
    func testCaseWillStart(_ testCase: XCTestCase)
    func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue)
    func testCase(_ testCase: XCTestCase, didRecord expectedFailure: XCTExpectedFailure)
    func testCaseDidFinish(_ testCase: XCTestCase)
}

extension XCTestObservation {
    public func testBundleWillStart(_ testBundle: Bundle) {}
    public func testBundleDidFinish(_ testBundle: Bundle) {}
    public func testSuiteWillStart(_ testSuite: XCTestSuite) {}
    public func testSuiteDidFinish(_ testSuite: XCTestSuite) {}
    public func testCaseWillStart(_ testCase: XCTestCase) {}
    public func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {}
    public func testCase(_ testCase: XCTestCase, didRecord expectedFailure: XCTExpectedFailure) {}
    public func testCaseDidFinish(_ testCase: XCTestCase) {}
}

open class XCTestObservationCenter: NSObject {
    public static var shared: XCTestObservationCenter { center }
    // Touched on the main thread alone, as XCTest asks of its users.
    nonisolated(unsafe) private static let center = XCTestObservationCenter()
    private var observers: [any XCTestObservation] = []

    open func addTestObserver(_ testObserver: any XCTestObservation) { observers.append(testObserver) }

    func tell(_ event: (any XCTestObservation) -> Void) { observers.forEach(event) }
}
