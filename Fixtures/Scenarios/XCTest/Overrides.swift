import Retryable

// Subclasses that do themselves what XCTest does for others.
extension Scenario {
    static var overrides: [Scenario] {
        [
            Scenario("flake, then an error that an override keeps back", testCase([("test", KeepsErrorsBack.test)]))
        ]
    }
}

/// Passes on what an assertion tells, and no error.
final class KeepsErrorsBack: RetryableTestCase {
    func test() throws {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0, "inside") }
        if retryCount == 0 { throw Boom() }
    }

    override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        guard expected else { return }
        super.recordFailure(
            withDescription: description,
            inFile: filePath,
            atLine: lineNumber,
            expected: expected
        )
    }
}
