import Foundation
import RetryCore
import RetryReport
import XCTest

/// Opens and completes the report where only steps of plain `XCTestCase`s use Retryable.
final class StepReport: NSObject, XCTestObservation {
    /// Opens the report once, and has it completed at the end. Later accesses cost nothing.
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
        self.init(of: test.nameOfMethod, in: type(of: test))
        if test.name.hasPrefix("-[") { name = test.name }
    }

    init(of method: String, in testClass: XCTestCase.Type) {
        self.init("-[\(testClass) \(method)]", module: String(String(reflecting: testClass).prefix { $0 != "." }))
    }
}

extension XCTestCase {
    /// The part after the class, where the test's name is `Class.test`; else the name.
    var nameOfMethod: String {
        let opening = "\(type(of: self))."
        return name.hasPrefix(opening) ? String(name.dropFirst(opening.count)) : name
    }
}
