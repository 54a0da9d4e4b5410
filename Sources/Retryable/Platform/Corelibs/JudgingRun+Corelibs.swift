#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    /// The run of one attempt, which judges each failure before XCTest counts it. Every failure comes here, whoever records it.
    class JudgingRun: AttemptRun {
        override func recordFailure(
            withDescription description: String,
            inFile filePath: String?,
            atLine lineNumber: Int,
            expected: Bool
        ) {
            let failure = Failure(description, file: filePath, line: lineNumber, expected: expected)
            let verdict = retryable?.verdict(on: failure) ?? .real
            guard let ending = verdict.ending else { return }
            super.recordFailure(
                withDescription: description + ending,
                inFile: filePath,
                atLine: lineNumber,
                expected: expected
            )
        }

        /// Records a failure that nothing can suppress.
        func recordUnjudged(_ failure: Failure) {
            super.recordFailure(
                withDescription: failure.message,
                inFile: failure.file ?? XCTestInternals.noFile,
                atLine: failure.line ?? 0,
                expected: failure.kind == .assertion
            )
        }
    }

    extension Failure {
        /// A failure as XCTest describes it, which has a file and a line even for an error of which no place is known.
        ///
        /// - Parameter expected: An assertion did not hold; otherwise something threw.
        init(_ description: String, file: String?, line: Int, expected: Bool) {
            let isPlaced = file != XCTestInternals.noFile
            self.init(
                message: description,
                file: isPlaced ? file : nil,
                line: isPlaced ? line : nil,
                kind: expected ? .assertion : .error
            )
        }

        /// Compares the message with XCTest's words for an error. A subclass may have added words of its own.
        func describes(_ error: any Error) -> Bool { message.contains(XCTestInternals.thrown(error)) }
    }

    /// Names and messages of swift-corelibs-xctest that have no public API. Seen in Swift 6.3.
    ///
    /// Should a later version say it differently, whole runs fail (`RetryableTests`), and until they are mended, more
    /// failures are real than need be.
    enum XCTestInternals {
        /// The file of an error that ended a test method, its `setUp` or its `tearDown`; its line is 0.
        ///
        /// If it changes: an error that leaves a section in `setUp` is real.
        static let noFile = "<EXPR>"

        /// XCTest's description of an error that ended a test method, its `setUp` or its `tearDown`.
        ///
        /// If it changes: as with `noFile`.
        static func thrown(_ error: any Error) -> String { "threw error \"\(error)\"" }
    }

    /// Writes one line about a step into the test's log, which is standard error.
    func logStep(_ line: String) {
        writeToStandardError(line)
    }
#endif
