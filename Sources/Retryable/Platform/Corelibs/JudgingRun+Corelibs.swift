#if !canImport(ObjectiveC)
    import Foundation
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
            let isPlaced = filePath != Failure.noFile
            let failure = Failure(
                message: description,
                file: isPlaced ? filePath : nil,
                line: isPlaced ? lineNumber : nil,
                kind: expected ? .assertion : .error
            )
            let verdict = retryable?.judgeRecorded(failure) ?? .real()
            retryable?.callDidFlake(after: verdict)
            if verdict.isSuppressed { return }
            super.recordFailure(
                withDescription: description + verdict.explanation,
                inFile: filePath,
                atLine: lineNumber,
                expected: expected
            )
        }

        /// Records a failure that nothing can suppress.
        func recordUnjudged(_ failure: Failure) {
            super.recordFailure(
                withDescription: failure.message,
                inFile: failure.file ?? Failure.noFile,
                atLine: failure.line ?? 0,
                expected: failure.kind == .assertion
            )
        }
    }

    // The file and the words below are from swift-corelibs-xctest in Swift 6.3, and are no public API. If a later version
    // changes them, whole runs fail (`RetryableTests`), and an error that leaves a section in `setUp` is real.
    extension Failure {
        /// The file of an error that ended a test method, its `setUp` or its `tearDown`; its line is 0.
        fileprivate static let noFile = "<EXPR>"

        /// XCTest's description of such an error.
        static func description(of error: any Error) -> String { "threw error \"\(error)\"" }
    }

    /// Writes one line about a step into the test's log, which is standard error.
    func logStep(_ line: String) { writeToStandardError(line) }

    extension StepObserver: XCTestObservation {
        static func addWhereAllowed(_ observer: StepObserver) {
            // XCTest's own observer, which prints, is there from the beginning of its run.
            let names = XCTestObservationCenter.shared.observers.map { String(reflecting: type(of: $0)) }
            if names.contains(where: { $0.hasPrefix("XCTest.") }) { observer.noteTest() }
            observer.add()
        }

        func testCase(_: XCTestCase, didFailWithDescription _: String, inFile _: String?, atLine _: Int) {
            SeenXCTest.countFailure()
        }

        func testCaseDidFinish(_ testCase: XCTestCase) { noteTest() }
        func testBundleDidFinish(_ testBundle: Bundle) { endBundle() }
    }

    /// Attaches nothing, because this XCTest has no attachments.
    func attachReport(afterRetry isRetry: Bool) {}
#endif
