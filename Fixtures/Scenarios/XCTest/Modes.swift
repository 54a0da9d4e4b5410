import Retryable

extension Scenario {
    static var modes: [Scenario] {
        [
            Scenario("eight flakes", (Passes.self, (1...8).map { ("test\($0)", { test in Scenario.flakeOnce(test) }) }))
        ]
    }

    private static func flakeOnce(_ test: XCTestCase) {
        guard let test = test as? RetryableTestCase else { return }
        test.flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(test.retryCount, 0, "a flake") }
    }
}
