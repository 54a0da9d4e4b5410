#if canImport(ObjectiveC)
    import XCTest

    extension RetryableTestCase {
        /// Calls, deep in a body, what Apple's XCTest has not.
        func plant() {
            recordFailure(withDescription: "", inFile: "", atLine: 1, expected: true)
        }
    }
#endif
