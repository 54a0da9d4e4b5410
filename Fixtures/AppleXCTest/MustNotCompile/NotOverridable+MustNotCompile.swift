// error: cannot be overridden
import Retryable

/// Overrides a method of XCTestCase's overlay, which no class can override.
final class Planted: RetryableTestCase {
    override func addTeardownBlock(_ block: @escaping @Sendable () async throws -> Void) {}
}
