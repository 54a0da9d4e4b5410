#if !canImport(ObjectiveC)
    import RetryCore
    import RetryReport

    /// A failure as XCTest tells of it.
    struct ReportedFailure {
        var description: String
        var file: String
        var line: Int
        /// Whether an assertion did not hold; otherwise something threw.
        var expected: Bool

        init(_ description: String, file: String, line: Int, expected: Bool) {
            self.description = description
            self.file = file
            self.line = line
            self.expected = expected
        }

        /// A failure of ours, as XCTest would tell of it.
        init(_ failure: Failure) {
            self.init(
                failure.message,
                file: failure.file ?? XCTestInternals.noFile,
                line: failure.line ?? 0,
                expected: failure.kind == .assertion
            )
        }

        /// Whether an error ended the test method, its `setUp` or its `tearDown`. XCTest knows no place for it.
        var isThrown: Bool { !expected && file == XCTestInternals.noFile && line == 0 }

        /// Whether it is about an error: one that ended something, or one that an assertion tells of.
        var isOfError: Bool { !expected }

        /// Whether this is what XCTest says of an error. A subclass may have added words of its own.
        func tells(of error: any Error) -> Bool { description.contains(XCTestInternals.thrown(error)) }

        /// The assertion that tells of an error; `nil` if the error ended something.
        var assertion: Place? { isThrown ? nil : Place(file: file, line: line) }

        /// Whether XCTest tells of an expectation that nobody waited for.
        var isOfUnwaitedExpectation: Bool { description.contains(XCTestInternals.unwaitedExpectation) }

        var forReport: Failure {
            Failure(
                message: description,
                file: isThrown ? nil : file,
                line: isThrown ? nil : line,
                kind: expected ? .assertion : .error
            )
        }

        func adding(_ note: String?) -> ReportedFailure {
            guard let note else { return self }
            var failure = self
            failure.description += " (\(note))"
            return failure
        }
    }
#endif
