#if canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    /// The run of one attempt, which judges what fails in it.
    ///
    /// Every failure comes here, once: from the test case, or, if it is XCUIElement's, from XCTest itself. Expected failures
    /// (`XCTExpectFailure`) do not. A failure that is not passed on to XCTest is left out of the result.
    final class JudgingRun: AttemptRun {
        /// The sections of failures that the test case has recorded and this run has not judged yet.
        private let heard = Locked<(last: Int, sections: [Int: EnclosingSections])>((0, [:]))

        /// Takes note of the sections that a failure is inside of, because XCTest may tell this run of it on another thread.
        ///
        /// - Returns: The issue, with a number by which it is known here.
        func note(_ sections: EnclosingSections, of issue: XCTIssue) -> XCTIssue {
            let number = heard.withLock { heard in
                heard.last += 1
                heard.sections[heard.last] = sections
                return heard.last
            }
            return issue.numbered(number)
        }

        override func record(_ issue: XCTIssue) {
            guard let retryable, issue.failsTest else { return super.record(issue) }
            var (issue, number) = issue.withoutNumber
            let sections = number.flatMap { number in heard.withLock { $0.sections.removeValue(forKey: number) } }
            guard let ending = retryable.verdict(on: issue, in: sections).ending else { return }
            issue.compactDescription += ending
            super.record(issue)
        }

        /// Records a failure that nothing can suppress.
        func recordUnjudged(_ failure: Failure) {
            super.record(XCTIssue(failure.message, at: Place(file: failure.file ?? "", line: failure.line ?? 0)))
        }
    }

    extension XCTIssue {
        private static let numberName = "Retryable: failure "

        /// This issue with a number, which travels with it as an attachment, whatever thread carries it.
        fileprivate func numbered(_ number: Int) -> XCTIssue {
            let attachment = XCTAttachment(string: "")
            attachment.name = "\(Self.numberName)\(number)"
            var issue = self
            issue.add(attachment)
            return issue
        }

        /// This issue as XCTest made it, and the number that it was given.
        fileprivate var withoutNumber: (XCTIssue, number: Int?) {
            let index = attachments.lastIndex { $0.name?.hasPrefix(Self.numberName) == true }
            guard let index, let name = attachments[index].name else { return (self, nil) }
            var issue = self
            issue.attachments.remove(at: index)
            return (issue, Int(name.dropFirst(Self.numberName.count)))
        }
    }

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

    /// Names and messages of Apple's XCTest that have no public API; taken from published reports up to Xcode 26, and not
    /// verified on a Mac yet.
    enum XCTestInternals {
        /// The end that Swift gives the name of a method that throws, for Objective-C.
        ///
        /// If it changes: the report has it in the test's name.
        static let throwing = "AndReturnError:"

        /// The end that Swift gives the name of a method that suspends.
        ///
        /// If it changes: the report has it in the test's name, and with `continueAfterFailure = false` the stopping of such
        /// a test is left to XCTest.
        static let suspending = "WithCompletionHandler:"

        /// Part of XCTest's message about an expectation that was not waited for; it has no type for it.
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
        /// This was recorded where it was first thrown, so XCTest does not record it when it ends a test.
        var isRecordedWhereThrown: Bool { "\(type(of: self))".hasSuffix(XCTestInternals.unwrapError) }
    }
#endif
