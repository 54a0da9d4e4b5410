// error: overriding declaration requires an 'override' keyword
import Retryable

/// Means to override, and does not say so.
final class Planted: RetryableTestCase {
    func invokeTest() {}
}
