#if !canImport(ObjectiveC)
    import XCTest

    /// The run of one attempt: asks, before it ends, whether a retry has shown that the test passes.
    final class SettlingRun: XCTestCaseRun {
        override func stop() {
            (test as? RetryableTestCase)?.settleAtEnd()
            super.stop()
        }
    }
#endif
