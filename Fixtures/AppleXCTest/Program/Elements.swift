import Retryable

/// Taps what is not there, in a section: XCTest tells the test's run of it, and not the test.
class Taps: RetryableTestCase {
    override class var testMethods: [(selector: String, method: TestMethod)] { [("test", .sync(Taps.test))] }

    func test() {
        flaky(.fixable(reason: "the button comes late")) {
            if retryCount == 0 { tap() }
            print("in the section of attempt \(retryCount + 1)")
        }
        print("after the section of attempt \(retryCount + 1)")
    }

    func tap() {
        MainActor.assumeIsolated { XCUIElement().tap() }
    }
}

/// The same, and stops where XCTest stops it.
final class TapsAndStops: Taps {
    override class var testMethods: [(selector: String, method: TestMethod)] { [("test", .sync(TapsAndStops.test))] }

    override func setUp() { continueAfterFailure = false }
}

final class TapsOutside: Taps {
    override class var testMethods: [(selector: String, method: TestMethod)] { [("test", .sync(TapsOutside.test))] }

    override func test() {
        flaky(.fixable(reason: "not this part")) {}
        tap()
    }
}
