#if canImport(ObjectiveC)
    import XCTest

    /// Uses what corelibs' XCTest has and Apple's has not.
    final class Planted: RetryableTestCase {
        func plant() -> XCTestCaseClosure? { nil }
    }
#endif
