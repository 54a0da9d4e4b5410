#if canImport(ObjectiveC)
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
#endif
