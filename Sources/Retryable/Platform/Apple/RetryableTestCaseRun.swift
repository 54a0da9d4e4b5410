#if canImport(ObjectiveC)
    import XCTest

    /// The run of one attempt: leaves out of the result what was judged a flake, and asks before it ends whether a retry has
    /// run its test.
    ///
    /// The test case itself has heard of it by then, so that `continueAfterFailure = false` stops it as it stops any test.
    final class RetryableTestCaseRun: XCTestCaseRun {
        override func record(_ issue: XCTIssue) {
            guard !issue.isSuppressed else { return }
            super.record(issue)
        }

        override func stop() {
            (test as? RetryableTestCase)?.settleAtEnd()
            super.stop()
        }
    }

    extension XCTIssue {
        private static let suppressedName = "Retryable: suppressed"

        /// This issue, for a run to leave out. The mark travels with the issue, whatever thread carries it.
        var suppressed: XCTIssue {
            let mark = XCTAttachment(string: compactDescription)
            mark.name = Self.suppressedName
            var issue = self
            issue.add(mark)
            return issue
        }

        var isSuppressed: Bool { attachments.contains { $0.name == Self.suppressedName } }
    }
#endif
