#if !canImport(ObjectiveC)
    import RetryCore
    import RetryReport

    // A failure as XCTest tells of it, which has a file and a line even for an error of which no place is known.
    extension Failure {
        /// - Parameter expected: Whether an assertion did not hold; otherwise something threw.
        init(_ description: String, file: String, line: Int, expected: Bool) {
            let isPlaced = expected || file != XCTestInternals.noFile || line != 0
            self.init(
                message: description,
                file: isPlaced ? file : nil,
                line: isPlaced ? line : nil,
                kind: expected ? .assertion : .error
            )
        }

        /// Records it with a method of XCTest.
        func record(with method: (_ description: String, _ file: String, _ line: Int, _ expected: Bool) -> Void) {
            method(message, file ?? XCTestInternals.noFile, line ?? 0, kind == .assertion)
        }

        /// Whether an error ended the test method, its `setUp` or its `tearDown`. XCTest knows no place for it.
        var isThrown: Bool { kind == .error && file == nil }

        /// Whether this is what XCTest says of an error. A subclass may have added words of its own.
        func tells(of error: any Error) -> Bool { message.contains(XCTestInternals.thrown(error)) }

        /// The assertion that tells of an error; `nil` if the error ended something.
        var assertion: Place? { file.map { Place(file: $0, line: line ?? 0) } }

        /// Whether XCTest tells of an expectation that nobody waited for.
        var isOfUnwaitedExpectation: Bool { message.contains(XCTestInternals.unwaitedExpectation) }
    }
#endif
