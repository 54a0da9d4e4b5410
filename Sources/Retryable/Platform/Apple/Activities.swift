#if canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    extension RetryableTestCase {
        /// Adds an activity to the test's result that says what flaked, with all that failed attached to it.
        func showFlake(_ flake: Flake, saying announcement: String) {
            let heading = ["test: \(reportName.name)", "attempt: \(retryCount + 1)", flake.section.mark.words]
            let failures = (attempt?.record.failures ?? []).map { failure in
                let file = failure.file.map(ProcessContext.shared.report.relative)
                let place = file.map { "\($0):\(failure.line ?? 0): " } ?? ""
                return "\(failure.isAftermath ? "aftermath" : "failure"): \(place)\(failure.message)"
            }
            let text = (heading + failures).map(\.escapingControlCharacters).joined(separator: "\n") + "\n"
            addActivity(
                announcement,
                attaching: [XCTAttachment(text, named: "flake.txt")] + keptAttachments.withLock(\.self)
            )
        }

        /// Attaches the report if something in this attempt flaked or was retried.
        func attachReportOfAttempt() {
            let hasRetry = previousAttempt != nil || attempt?.hasRetriedStep == true
            guard attempt?.flake != nil || hasRetry else { return }
            reportAttempt()  // before it is attached, so that it includes this attempt
            attachReport(afterRetry: hasRetry)
        }
    }

    /// Attaches the report as it stands, so that it is in the result bundle wherever its file is, or if there is none.
    func attachReport(afterRetry isRetry: Bool) {
        guard Thread.isMainThread, let text = ProcessContext.shared.report.text(afterRetry: isRetry) else { return }
        let attachment = XCTAttachment(String(decoding: text, as: UTF8.self), named: ReportLocation.fileName)
        addActivity("Retryable: the report so far", attaching: [attachment])
    }

    /// Adds an activity to the result of the test that runs, with attachments that stay there even if the test passes.
    ///
    /// XCTest allows activities only on the main thread; on any other, the activity's name goes to standard error.
    private func addActivity(_ name: String, attaching attachments: [XCTAttachment] = []) {
        guard Thread.isMainThread else { return log(name) }
        nonisolated(unsafe) let attachments = attachments  // used on this thread, the main one, alone
        MainActor.assumeIsolated {
            XCTContext.runActivity(named: name) { activity in
                for attachment in attachments {
                    attachment.lifetime = .keepAlways
                    activity.add(attachment)
                }
            }
        }
    }

    extension XCTAttachment {
        fileprivate convenience init(_ text: String, named name: String) {
            self.init(string: text)
            self.name = name
        }
    }

    extension StepObserver: XCTestObservation {
        /// Adds it on the main thread: XCTest takes observers on no other.
        static func addWhereAllowed(_ observer: StepObserver) {
            guard !Thread.isMainThread else { return observer.add() }
            DispatchQueue.main.async { observer.add() }
        }

        func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) { SeenXCTest.countFailure() }
        func testCase(_ testCase: XCTestCase, didRecord expectedFailure: XCTExpectedFailure) {
            SeenXCTest.countFailure()
        }

        func testCaseDidFinish(_ testCase: XCTestCase) { noteTest() }
        func testBundleDidFinish(_ testBundle: Bundle) { endBundle() }
    }

    /// Writes one line about a step into the test's log: an activity, which Xcode shows where it happened.
    func logStep(_ line: String) { addActivity(line.escapingControlCharacters) }
#endif
