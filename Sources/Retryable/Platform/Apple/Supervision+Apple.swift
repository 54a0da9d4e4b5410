#if canImport(ObjectiveC)
    import RetryCore
    import XCTest

    /// The counterpart of Linux's supervision, on systems where Xcode starts the tests.
    enum Supervision {
        /// Says once what is done here instead, if it is asked for.
        static func superviseIfAsked(_ outermost: XCTestSuite, isInBundle: Bool) {
            let reason = "Xcode itself starts the tests again that a crash has kept from running"
            ProcessContext.shared.warnUnsupervised(reason)
        }
    }
#endif
