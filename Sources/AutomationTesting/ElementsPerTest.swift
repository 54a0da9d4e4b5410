import AppAutomation
import XCTest

/// Forgets, after each test, the elements that it left: the next one must not find them.
final class ElementsPerTest: NSObject, XCTestObservation {
    /// Begins when a test first waits, once in a process.
    static func begin() {
        _ = observer
    }

    private static let observer: Void = {
        if Thread.isMainThread {
            XCTestObservationCenter.shared.addTestObserver(ElementsPerTest())
        } else {
            // Apple's XCTest takes observers on the main thread alone.
            DispatchQueue.main.async { XCTestObservationCenter.shared.addTestObserver(ElementsPerTest()) }
        }
    }()

    /// Called by XCTest.
    func testCaseDidFinish(_ testCase: XCTestCase) {
        EventHub.shared.forgetElements()
    }
}
