#if !canImport(ObjectiveC)
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

        /// Whether an error ended the test method, its `setUp` or its `tearDown`. XCTest knows no place for it.
        var isThrown: Bool { !expected && file == "<EXPR>" && line == 0 }

        /// What the error reads as, if one was thrown.
        var thrownText: String? {
            let opening = "threw error \""
            guard isThrown, description.hasPrefix(opening), description.hasSuffix("\"") else { return nil }
            return String(description.dropFirst(opening.count).dropLast())
        }

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
