#if canImport(ObjectiveC)
    import XCTest

    /// The run of one attempt: leaves out of the result what was judged a flake. XCTest makes it, starts it and stops it,
    /// and no subclass of a test can replace it.
    ///
    /// The test case itself has heard of it by then, so that `continueAfterFailure = false` stops it as it stops any test.
    final class AttemptRun: XCTestCaseRun {
        private var retryable: RetryableTestCase? { test as? RetryableTestCase }

        override func start() {
            retryable?.begin()
            super.start()
        }

        override func record(_ issue: XCTIssue) {
            guard !issue.isSuppressed else { return }
            super.record(issue)
        }

        override func stop() {
            retryable?.settle(self)
            super.stop()
            retryable?.conclude(self)
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
