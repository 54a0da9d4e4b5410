// error: 'ContinuousClock' is only available in macOS 13.0 or newer
import Retryable

/// Uses what the oldest system that the package supports does not have.
final class Planted: RetryableTestCase {
    func plant() { _ = ContinuousClock() }
}
