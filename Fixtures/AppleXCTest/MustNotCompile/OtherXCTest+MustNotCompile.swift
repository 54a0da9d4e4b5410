// error: cannot find type 'XCTestCaseClosure' in scope
import Retryable

/// Uses what corelibs' XCTest has and Apple's has not.
final class Planted: RetryableTestCase {
    func plant() -> XCTestCaseClosure? { nil }
}
