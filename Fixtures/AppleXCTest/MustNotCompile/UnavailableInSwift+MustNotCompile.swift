// error: 'NSInvocation' is unavailable in Swift
import Retryable

/// Makes what Foundation has for Objective-C alone.
final class Planted: RetryableTestCase {
    func plant() { invocation = NSInvocation() }
}
