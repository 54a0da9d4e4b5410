#if canImport(ObjectiveC)
    import Foundation
    import RetryCore
    import RetryReport
    import XCTest

    extension XCTIssue {
        /// The issue fails the test. A warning is never a flake, because nothing has failed.
        var failsTest: Bool {
            #if compiler(>=6.3)  // which comes with the XCTest that knows of warnings
                isFailure
            #else
                true
            #endif
        }

        /// An expectation was not waited for.
        var isOfUnwaitedExpectation: Bool { compactDescription.contains(XCTestInternals.unwaitedExpectation) }

        /// The sections that the failure is inside of: those that its error has left, or those that are open here and now.
        func sections(in attempt: Attempt) -> EnclosingSections {
            guard type == .thrownError else { return attempt.sectionsHere(countingAllWithoutTask: true) }
            return associatedError.map(attempt.sections) ?? .none
        }

        var forReport: Failure {
            let location = sourceCodeContext.location
            return Failure(
                message: compactDescription,
                file: location?.fileURL.path,
                line: location?.lineNumber,
                kind: type == .thrownError || type == .uncaughtException ? .error : .assertion
            )
        }

        /// A failure of ours.
        init(_ message: String, at place: Place) {
            self.init(
                type: .assertionFailure,
                compactDescription: message,
                sourceCodeContext: XCTSourceCodeContext(
                    location: XCTSourceCodeLocation(filePath: place.file, lineNumber: place.line)
                )
            )
        }
    }
#endif
