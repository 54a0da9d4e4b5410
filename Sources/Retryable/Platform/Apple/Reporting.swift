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
            let failures = (attempt?.failures ?? []).map { failure in
                let place = failure.file.map { "\(ProcessRun.shared.report.relative($0)):\(failure.line ?? 0): " } ?? ""
                return "\(failure.isAftermath ? "aftermath" : "failure"): \(place)\(failure.message)"
            }
            let text = (heading + failures).map(\.escapingControlCharacters).joined(separator: "\n") + "\n"
            addActivity(announcement, attaching: text, named: "flake.txt")
        }

        /// Attaches the report as it stands, so that it is in the result bundle wherever its file is, or if there is none.
        func attachReport() {
            guard attempt?.flake != nil || previousAttempt != nil else { return }
            reportAttempt()  // before it is attached, so that it includes this attempt
            guard let text = ProcessRun.shared.report.text(afterRetry: previousAttempt != nil) else { return }
            let name = ReportLocation.fileName
            addActivity("Retryable: the report so far", attaching: String(decoding: text, as: UTF8.self), named: name)
        }
    }

    /// Adds an activity to the result of the test that runs, with a text that stays there even if the test passes.
    ///
    /// XCTest allows activities only on the main thread; on any other, the activity's name goes to standard error.
    private func addActivity(_ name: String, attaching text: String? = nil, named fileName: String = "") {
        guard Thread.isMainThread else { return log(name) }
        MainActor.assumeIsolated {
            XCTContext.runActivity(named: name) { activity in
                guard let text else { return }
                let attachment = XCTAttachment(string: text)
                attachment.name = fileName
                attachment.lifetime = .keepAlways
                activity.add(attachment)
            }
        }
    }

    /// Writes one line about a step into the test's log: an activity, which Xcode shows where it happened.
    func logStep(_ line: String) {
        addActivity(line.escapingControlCharacters)
    }

    /// The counterpart of Linux's supervision, on systems where Xcode starts the tests.
    enum Supervision {
        /// Says once what is done here instead, if it is asked for.
        static func begin(_ outermost: XCTestSuite, isInBundle: Bool) {
            ProcessRun.shared.warnUnsupervised("Xcode itself starts the tests again that a crash has kept from running")
        }
    }
#endif
