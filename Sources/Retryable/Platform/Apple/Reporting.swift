#if canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    extension RetryableTestCase {
        /// Adds an activity to the test's result that says what flaked, with all that failed attached to it.
        func addActivity(for flake: Flake, saying announcement: String) {
            let text = evidence(flake, failures: attempt?.failures ?? [])
            activity(announcement) { activity in
                activity.add(.keptText(text, name: "flake.txt"))
            }
        }

        /// Attaches the report as it stands, so that it is in the result bundle wherever its file is, or if there is none.
        func attachReport() {
            guard let attempt, attempt.flake != nil || previousFlake != nil, let testRun else { return }
            report(testRun)  // before it is attached, so that it includes this attempt
            guard let text = ProcessRun.shared.report.text(afterRetry: previousFlake != nil) else { return }
            activity("Retryable: the report so far") { activity in
                activity.add(.keptText(String(decoding: text, as: UTF8.self), name: ReportLocation.fileName))
            }
        }

        private func evidence(_ flake: Flake, failures: [Failure]) -> String {
            let heading = ["test: \(reportName.name)", "attempt: \(retryCount + 1)", flake.section.mark.words]
            let lines = failures.map { failure in
                let place = failure.file.map { "\(ProcessRun.shared.relative($0)):\(failure.line ?? 0): " } ?? ""
                return "\(failure.isAftermath ? "aftermath" : "failure"): \(place)\(failure.message)"
            }
            return (heading + lines).map(\.escapingControlCharacters).joined(separator: "\n") + "\n"
        }

        /// XCTest has activities on the main thread alone, which is where it invokes tests.
        private func activity(_ name: String, _ body: @MainActor (any XCTActivity) -> Void) {
            guard Thread.isMainThread else { return log("\(self.name): \(name)") }
            MainActor.assumeIsolated { XCTContext.runActivity(named: name, block: body) }
        }
    }

    extension XCTAttachment {
        /// A text that stays in the result bundle even if the test passes.
        fileprivate static func keptText(_ text: String, name: String) -> XCTAttachment {
            let attachment = XCTAttachment(string: text)
            attachment.name = name
            attachment.lifetime = .keepAlways
            return attachment
        }
    }

    /// Writes one line about a step into the test's log: an activity, which Xcode shows where it happened.
    ///
    /// XCTest has activities on the main thread alone; from any other, the line goes to standard error.
    func logStep(_ line: String) {
        let line = line.escapingControlCharacters
        guard Thread.isMainThread else { return log(line) }
        MainActor.assumeIsolated { XCTContext.runActivity(named: line) { _ in } }
    }

    /// The counterpart of Linux's supervision, on systems where Xcode starts the tests.
    enum Supervision {
        /// Says once what is done here instead, if it is asked for.
        static func begin(_ outermost: XCTestSuite, finish: (() -> Void)?) {
            ProcessRun.shared.warnUnsupervised("Xcode itself starts the tests again that a crash has kept from running")
        }
    }
#endif
