#if canImport(ObjectiveC)
    /// Names and messages of Apple's XCTest that have no public API; taken from published reports up to Xcode 26, and not
    /// verified on a Mac yet.
    enum XCTestInternals {
        /// What Swift puts behind the name of a method that throws, for Objective-C.
        ///
        /// If it changes: the report has it in the test's name.
        static let throwing = "AndReturnError:"

        /// What Swift puts behind the name of a method that suspends.
        ///
        /// If it changes: as above, and with `continueAfterFailure = false` the stopping of such a test is left to XCTest.
        static let suspending = "WithCompletionHandler:"

        /// How XCTest tells of an expectation that nobody waited for; it has no type for it.
        ///
        /// If it changes, or is translated: a test that a flake has cut short fails for the expectations that it did
        /// not come to.
        static let unwaitedExpectation = "unwaited expectation"

        /// The type of what `XCTUnwrap` throws, once it has recorded its failure; XCTest records it no second time.
        ///
        /// If it changes: a retry that dies of such an error, which was thrown and recorded before, counts as passed.
        static let unwrapError = "ErrorWhileUnwrappingOptional"
    }

    extension Error {
        /// Whether this was recorded where it was first thrown, so that XCTest does not record it when it ends a test.
        var isRecordedWhereThrown: Bool { "\(type(of: self))".hasSuffix(XCTestInternals.unwrapError) }
    }
#endif
