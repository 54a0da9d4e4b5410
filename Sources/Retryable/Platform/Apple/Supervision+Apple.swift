#if canImport(ObjectiveC)
    import RetryCore
    import XCTest

    /// What `RETRYABLE_SUPERVISE` asks for, on systems where it is Xcode that starts the tests.
    enum Supervision {
        /// Says once what is done here instead, if it is asked for.
        static func begin(_ outermost: XCTestSuite, finish: (() -> Void)?) {
            ProcessRun.shared.warnUnsupervised("Xcode itself starts the tests again that a crash has kept from running")
        }
    }
#endif
