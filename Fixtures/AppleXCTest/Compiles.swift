import Retryable

/// What is right, so that a check which refuses everything shows.
final class Planted: RetryableTestCase {
    override func invokeTest() { super.invokeTest() }

    func again(_ selector: Selector) -> Planted? {
        let base: XCTestCase.Type = Planted.self
        return base.init(selector: selector) as? Planted
    }

    @MainActor
    func plant() {
        continueAfterFailure = false
        XCTContext.runActivity(named: "\(String(describing: invocation?.selector))") {
            $0.add(XCTAttachment(string: "attached"))
        }
        if #available(macOS 13, iOS 16, *) { _ = ContinuousClock() }
    }
}
