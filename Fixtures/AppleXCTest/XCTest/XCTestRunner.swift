import Interruption

/// Runs classes of tests as a bundle does, and prints what happens. Apple's XCTest has no such thing: Xcode does this.
public enum XCTestRunner {
    /// - Parameter bundleFirst: Whether the bundle's start is told before any class is asked for its tests.
    /// - Returns: Whether everything passed.
    public static func run(_ classes: [XCTestCase.Type], bundleFirst: Bool) -> Bool {
        if bundleFirst { XCTestObservationCenter.shared.tell { $0.testBundleWillStart(.main) } }
        let suites = classes.map(\.defaultTestSuite)
        XCTestObservationCenter.shared.addTestObserver(Printer())
        let all = XCTestSuite(name: "All tests")
        suites.forEach(all.addTest)
        if !bundleFirst { XCTestObservationCenter.shared.tell { $0.testBundleWillStart(.main) } }
        all.run()
        XCTestObservationCenter.shared.tell { $0.testBundleDidFinish(.main) }
        print("executed \(all.testRun?.executionCount ?? 0), failed \(all.testRun?.totalFailureCount ?? 0)")
        return all.testRun?.hasSucceeded ?? false
    }
}

private final class Printer: NSObject, XCTestObservation {
    private var expected: Set<ObjectIdentifier> = []

    func testSuiteWillStart(_ testSuite: XCTestSuite) { print("suite \(testSuite.name) begins") }
    func testSuiteDidFinish(_ testSuite: XCTestSuite) { print("suite \(testSuite.name) ends") }
    func testCaseWillStart(_ testCase: XCTestCase) { expected.remove(ObjectIdentifier(testCase)) }

    func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {
        let line = issue.sourceCodeContext.location?.lineNumber ?? 0
        print("  \(issue.severity) at \(line) in \(testCase.name): \(issue.compactDescription)")
    }

    func testCase(_ testCase: XCTestCase, didRecord expectedFailure: XCTExpectedFailure) {
        expected.insert(ObjectIdentifier(testCase))
        print("  expected failure of \(testCase.name): \(expectedFailure.failureReason ?? "")")
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
        guard let run = testCase.testRun else { return }
        let result =
            if !run.hasSucceeded {
                "failed"
            } else if run.hasBeenSkipped {
                "skipped"
            } else {
                expected.contains(ObjectIdentifier(testCase)) ? "expected failure" : "passed"
            }
        print("\(testCase.name) \(result)")
    }
}
