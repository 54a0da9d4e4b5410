#if canImport(ObjectiveC)
    import XCTest

    extension RetryableTestCase {
        /// What may be called: the check has nothing against a source that is right.
        func plant() { continueAfterFailure = true }
    }
#endif
