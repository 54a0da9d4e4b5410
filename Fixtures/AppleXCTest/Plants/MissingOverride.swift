#if canImport(ObjectiveC)
    import XCTest

    /// Means to override, and does not say so.
    final class Planted: RetryableTestCase {
        func invokeTest() {}
    }
#endif
