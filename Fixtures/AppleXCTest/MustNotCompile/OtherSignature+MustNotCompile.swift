// error: method does not override any method from its superclass
import Retryable

/// Overrides `record(_:)` with the class that stands behind XCTIssue, which is not what the importer makes of it.
final class Planted: RetryableTestCase {
    override func record(_ issue: XCTIssueReference) {}
}
