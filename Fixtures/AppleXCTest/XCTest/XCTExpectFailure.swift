/// A failure that was expected. See the README: this is a double.
open class XCTExpectedFailure: NSObject {
    /// Why it was expected.
    public let failureReason: String?
    /// The failure.
    public let issue: XCTIssue

    init(failureReason: String?, issue: XCTIssue) {
        self.failureReason = failureReason
        self.issue = issue
    }

    /// How failures are matched.
    open class Options: NSObject {
        /// Whether the test fails if the failure does not come.
        open var isStrict = true
        /// Whether failures are expected at all.
        open var isEnabled = true
        /// Which failures are meant.
        open var issueMatcher: (XCTIssue) -> Bool = { _ in true }
    }
}

/// Expects a failure of a block.
public func XCTExpectFailure<R>(
    _ failureReason: String? = nil,
    options: XCTExpectedFailure.Options = .init(),
    failingBlock: () throws -> R
) rethrows -> R {
    guard let test = RunningCase.current else { return try failingBlock() }
    test.expectations.append(.init(reason: failureReason, options: options))
    defer {
        let expectation = test.expectations.removeLast()
        if !expectation.isMet, options.isStrict {
            test.record(
                XCTIssue(type: .unmatchedExpectedFailure, compactDescription: "Expected failure but none recorded")
            )
        }
    }
    return try failingBlock()
}

/// A failure that is expected, until it comes.
struct ExpectedFailure {
    var reason: String?
    var options: XCTExpectedFailure.Options
    var isMet = false
}
