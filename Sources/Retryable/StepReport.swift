import Foundation
import RetryCore
import RetryReport
import XCTest

/// Puts the steps of tests into the report that need not be RetryableTestCases.
final class StepReport: NSObject, XCTestObservation {
    /// Sees to it that there is a report, and that it is completed; cheap to ask for again.
    static let open: Void = {
        // Where there is a RetryableTestCase, its observer has done both before any test ran.
        guard Ledger.shared.begin(inMidRun: true) else { return }
        XCTestObservationCenter.shared.addTestObserver(StepReport())
    }()

    func testBundleDidFinish(_ testBundle: Bundle) {
        Ledger.shared.finish()
    }
}

extension TestName {
    /// The name of any test case, whose own `name` is `Class.test` on some systems and `-[Class test]` on others.
    init(of test: XCTestCase) {
        let className = "\(type(of: test))"
        let testName = test.name.hasPrefix("\(className).") ? test.name.dropFirst(className.count + 1) : test.name[...]
        self.init(
            testName.hasPrefix("-[") ? String(testName) : "-[\(className) \(testName)]",
            module: moduleName(of: type(of: test))
        )
    }
}
