import Foundation
import RetryCore
import RetryReport
import XCTest

/// Puts the steps of tests into the report that need not be RetryableTestCases.
final class StepReport: NSObject, XCTestObservation {
    /// Sees to it that there is a report, and that it is completed; cheap to ask for again.
    static let open: Void = {
        // Where there is a RetryableTestCase, its observer has done both before any test ran.
        guard ProcessRun.shared.begin(inMidRun: true) else { return }
        XCTestObservationCenter.shared.addTestObserver(StepReport())
    }()

    func testBundleDidFinish(_ testBundle: Bundle) {
        ProcessRun.shared.finish()
    }
}

extension TestName {
    /// The name of any test case.
    init(of test: XCTestCase) {
        let testClass = ClassName.of(type(of: test))
        let isComplete = test.name.hasPrefix("-[")
        self.init(
            isComplete ? test.name : "-[\(testClass.name) \(test.nameOfMethod)]",
            module: testClass.module
        )
    }
}

extension XCTestCase {
    /// What stands behind the class in the test's name where that is `Class.test`.
    var nameOfMethod: String {
        let opening = "\(ClassName.of(type(of: self)).name)."
        return name.hasPrefix(opening) ? String(name.dropFirst(opening.count)) : name
    }
}
