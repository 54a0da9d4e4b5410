#if !canImport(ObjectiveC)
    import Groundwork

    /// Names and messages of swift-corelibs-xctest that have no public API. Seen in Swift 6.3.
    ///
    /// Should a later version say it differently, whole runs fail (`RetryableTests`), and until they are mended, more
    /// failures are real than need be.
    enum XCTestInternals {
        /// The file of an error that ended a test method, its `setUp` or its `tearDown`; its line is 0.
        ///
        /// If it changes: an error that leaves a section in `setUp` is real.
        static let noFile = "<EXPR>"

        /// How XCTest tells of an error: with its description, in these words.
        ///
        /// If it changes: as above, and so is one that leaves a section inside an assertion.
        static func thrown(_ error: any Error) -> String { "threw error \"\(error)\"" }

        /// How XCTest tells of an expectation that nobody waited for.
        ///
        /// If it changes: a test that a flake has cut short fails for the expectations that it did not come to.
        static let unwaitedExpectation = "Failed due to unwaited expectation"

        /// The type of what `XCTUnwrap` throws, once it has recorded its failure; XCTest records it no second time.
        ///
        /// If it changes: `XCTUnwrap` is two failures, and its error fails a test that has recorded it.
        static let unwrapError = "XCTest.XCTestErrorWhileUnwrappingOptional"
    }

    extension Error {
        /// Whether this was recorded where it was first thrown, so that XCTest does not record it when it ends a test.
        var isRecordedWhereThrown: Bool {
            String(reflecting: type(of: self)) == XCTestInternals.unwrapError
        }
    }

    /// Writes one line about a step into the test's log, which is standard error.
    func logStep(_ line: String) {
        writeToStandardError(line)
    }
#endif
