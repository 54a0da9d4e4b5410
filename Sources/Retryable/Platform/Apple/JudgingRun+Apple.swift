#if canImport(ObjectiveC)
    import Foundation
    import RetryCore
    import RetryReport
    import XCTest

    /// The run of one attempt, which judges what fails in it.
    ///
    /// Every failure comes here, once: from the test case, or, if it is XCUIElement's, from XCTest itself. Expected failures
    /// (`XCTExpectFailure`) do not. A failure that is not passed on to XCTest is left out of the result.
    final class JudgingRun: AttemptRun {
        override func record(_ issue: XCTIssue) {
            guard let retryable, issue.failsTest else { return super.record(issue) }
            var issue = issue
            let index = issue.attachments.lastIndex { $0 is AttachedSections }
            let attached = index.map { issue.attachments.remove(at: $0) } as? AttachedSections
            let verdict = retryable.judgeRecorded(issue, in: attached?.sections)
            if verdict.isSuppressed {
                retryable.keptAttachments.withLock { $0 += issue.attachments }
                return retryable.callDidFlake(after: verdict)
            }
            issue.compactDescription += verdict.explanation
            super.record(issue)
        }

        /// Records a failure that nothing can suppress.
        func recordUnjudged(_ failure: Failure) {
            let location = XCTSourceCodeLocation(filePath: failure.file ?? "", lineNumber: failure.line ?? 0)
            super.record(
                XCTIssue(
                    type: .assertionFailure,
                    compactDescription: failure.message,
                    sourceCodeContext: XCTSourceCodeContext(location: location)
                )
            )
        }
    }

    /// The sections that a failure is inside of, which travel with its issue from the test case to the run, because XCTest may
    /// record it in the run on another thread.
    final class AttachedSections: XCTAttachment {
        private(set) var sections: [Section] = []

        convenience init(_ sections: [Section]) {
            self.init(string: "")
            self.sections = sections
        }
    }

    extension XCTIssue {
        /// The issue fails the test. A warning is never a flake, because nothing has failed.
        var failsTest: Bool {
            #if compiler(>=6.3)  // which comes with the XCTest that has warnings
                isFailure
            #else
                true
            #endif
        }

        /// The sections that the failure is inside of: those that its error has left, or those that are open here and now.
        func sections(in attempt: Attempt) -> [Section] {
            guard type == .thrownError else { return attempt.sectionsHere(countingAllWithoutTask: true) }
            return associatedError.map(attempt.sections) ?? []
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
    }
#endif
