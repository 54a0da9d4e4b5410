/// Hears what runs. See the README: this is a double.
public protocol XCTestObservation: NSObjectProtocol {
    /// A bundle is about to run.
    func testBundleWillStart(_ testBundle: Bundle)
    /// A bundle has run.
    func testBundleDidFinish(_ testBundle: Bundle)
    /// A suite is about to run.
    func testSuiteWillStart(_ testSuite: XCTestSuite)
    /// A suite has run.
    func testSuiteDidFinish(_ testSuite: XCTestSuite)
    /// A case is about to run.
    func testCaseWillStart(_ testCase: XCTestCase)
    /// A case has an issue.
    func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue)
    /// A case has an issue that was expected.
    func testCase(_ testCase: XCTestCase, didRecord expectedFailure: XCTExpectedFailure)
    /// A case has run.
    func testCaseDidFinish(_ testCase: XCTestCase)
}

extension XCTestObservation {
    /// Does nothing.
    public func testBundleWillStart(_ testBundle: Bundle) {}
    /// Does nothing.
    public func testBundleDidFinish(_ testBundle: Bundle) {}
    /// Does nothing.
    public func testSuiteWillStart(_ testSuite: XCTestSuite) {}
    /// Does nothing.
    public func testSuiteDidFinish(_ testSuite: XCTestSuite) {}
    /// Does nothing.
    public func testCaseWillStart(_ testCase: XCTestCase) {}
    /// Does nothing.
    public func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {}
    /// Does nothing.
    public func testCase(_ testCase: XCTestCase, didRecord expectedFailure: XCTExpectedFailure) {}
    /// Does nothing.
    public func testCaseDidFinish(_ testCase: XCTestCase) {}
}

/// Tells observers what runs.
open class XCTestObservationCenter: NSObject {
    /// The one of this process.
    public static var shared: XCTestObservationCenter { center }
    // Touched on the main thread alone, as XCTest asks of its users.
    nonisolated(unsafe) private static let center = XCTestObservationCenter()
    private var observers: [any XCTestObservation] = []

    /// Adds an observer, and holds on to it.
    open func addTestObserver(_ testObserver: any XCTestObservation) { observers.append(testObserver) }

    /// Removes an observer.
    open func removeTestObserver(_ testObserver: any XCTestObservation) { observers.removeAll { $0 === testObserver } }

    func tell(_ event: (any XCTestObservation) -> Void) { observers.forEach(event) }
}
