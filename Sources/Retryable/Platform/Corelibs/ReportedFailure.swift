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

        /// Whether an error ended the test method, its `setUp` or its `tearDown`. XCTest knows no place for it.
        var isThrown: Bool { !expected && file == "<EXPR>" && line == 0 }

        /// What the error reads as, if one was thrown.
        private var thrownText: String? {
            let opening = "threw error \""
            guard isThrown, description.hasPrefix(opening), description.hasSuffix("\"") else { return nil }
            return String(description.dropFirst(opening.count).dropLast())
        }

        /// Whether XCTest tells of an expectation that nobody waited for. It has only these words for it.
        var isOfUnwaitedExpectation: Bool { description.hasPrefix("Failed due to unwaited expectation") }

        /// The sections that this failure is inside of because an error has left them; `nil` if it is about no error.
        func sectionsLeft(in attempt: Attempt) -> [Section]? {
            if isThrown { return thrownText.map(attempt.sectionsLeft(byErrorThatReads:)) ?? [] }
            guard !expected else { return nil }
            let sections = attempt.sectionsLeft(byErrorToldIn: description, at: Place(file: file, line: line))
            return sections.isEmpty ? nil : sections
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
