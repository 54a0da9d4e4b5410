import Foundation
import RetryReport
import TestSupport
import Testing

/// What is said of a run beside its tests, and where the report goes.
@Suite("What is said on Apple's systems", .enabled(if: DoubleRun.isNeeded))
final class AppleReportTests: FolderTests {
    @Test("the report has the five keys, the attempts and the outcome, under the name that the author wrote")
    func report() async throws {
        let retries = try await run("Recovers").report.tests
        let retry = try #require(retries.first)
        #expect(retries.count == 1)
        #expect((retry.name, retry.module) == ("-[Recovers testFlakes]", "Program"))
        #expect((retry.mark.maxRetryCount, retry.attemptedRetries, retry.mark.reason) == (1, 1, "a race"))
        #expect((retry.mark.isFixable, retry.outcome) == (true, .recovered))
        #expect(retry.attempts.map(\.outcome) == [.flaked, .passed])
        let failure = try #require(retry.attempts.first?.failures.first)
        #expect(failure.message == "failed - too early")
        #expect(failure.file?.hasSuffix("Program/Failures.swift") == true)
        #expect(failure.line == retry.line)
    }

    @Test("each flake has an activity, and an attachment that is kept though the test passes")
    func evidence() async throws {
        let run = try await run("Exhausted", expecting: 1)
        let flakes = run.activities.filter { $0.contains("flaked at") }
        #expect(flakes.count == 2)
        #expect(flakes.first?.hasPrefix("-[Exhausted test]: flaked at ") == true)
        #expect(flakes.last?.hasPrefix("-[Exhausted test$2]: flaked at ") == true)
        #expect(flakes.allSatisfy { $0.contains("reason: always (not fixable)") })
        let texts = run.attachments.filter { $0.hasPrefix("flake.txt, keepAlways: ") }
        #expect(texts.count == 2)
        #expect(texts.last?.contains("test: -[Exhausted test]⏎attempt: 2⏎") == true)
    }

    @Test("what a step does when it is retried is an activity, and stands in the report")
    func steps() async throws {
        let run = try await run("Steps")
        #expect(run.activities.contains { $0.contains("[NEW RETRY ACTION: 1] Sign In") })
        #expect(run.report.steps.map(\.retries) == [1])
        #expect(run.report.steps.map(\.test) == ["-[Steps test]"])
        #expect(run.cases == ["-[Steps test] passed"])
    }

    @Test("the summary is written once, whenever the observer was registered", arguments: [[], ["--bundle-first"]])
    func summary(options: [String]) async throws {
        let run = try await run("Recovers", options: options)
        #expect(run.outcome.errorOutput.count == 3)
        #expect(run.outcome.errorOutput.first == "Retryable: 1 flaky")
        #expect(run.report.run?.finishedAt != nil)
    }

    @Test("a run without a flake says nothing of itself")
    func silence() async throws {
        let run = try await run("ExpectsFailureInSection")
        #expect(run.outcome.errorOutput.isEmpty)
        #expect(run.activities.isEmpty)
        #expect(run.report.run?.finishedAt != nil)
    }

    // MARK: - The report's place

    /// The environment in which Xcode writes a result bundle.
    private func environment(report: String = "", bundle: String) -> [String: String] {
        [
            "RETRYABLE_REPORT": report,
            "XCTestConfigurationFilePath": bundle.isEmpty ? "" : "\(bundle)/1_Test/Demo.xctestconfiguration",
        ]
    }

    @Test(
        "the report goes into the result bundle that Xcode writes, or else beside the executable",
        arguments: [true, false]
    )
    func place(hasBundle: Bool) async throws {
        let bundle = hasBundle ? folder.file("Test.xcresult") : URL(fileURLWithPath: "/proc/none/Test.xcresult")
        if hasBundle { try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true) }
        let program = folder.file("Demo").path
        let outcome = try await run("Recovers", called: program, environment: environment(bundle: bundle.path))
        let place = hasBundle ? bundle : folder.url
        let report = try Report(contentsOf: place.appendingPathComponent(ReportLocation.fileName))
        #expect(report.tests.map(\.outcome) == [.recovered])
        #expect(outcome.output.count { $0.hasPrefix("  attachment \(ReportLocation.fileName), keepAlways: ") } == 1)
    }

    @Test("the processes of one result bundle add to one report; those of another bundle begin anew")
    func processes() async throws {
        func names(after testClass: String, in bundle: String) async throws -> [String] {
            let settings = environment(report: folder.report.path, bundle: "\(folder.path)/\(bundle).xcresult")
            _ = try await run(testClass, called: "Demo", environment: settings)
            return try Report(contentsOf: folder.report).tests.map(\.name)
        }
        #expect(try await names(after: "Recovers", in: "First") == ["-[Recovers testFlakes]"])
        #expect(try await names(after: "Stops", in: "First") == ["-[Recovers testFlakes]", "-[Stops test]"])
        #expect(try await names(after: "Stops", in: "Second") == ["-[Stops test]"])
    }

    @Test(
        "the report is attached to each attempt if it cannot be written to a file, and the last attachment is complete"
    )
    func attachment() async throws {
        let settings = environment(bundle: "")
        let outcome = try await run("Exhausted", called: "/proc/none/Demo", expecting: 1, environment: settings)
        let reports = try attachedReports(in: outcome)
        #expect(reports.map { $0.tests.map(\.outcome) } == [[.pending], [.pending], [.failed]])
        #expect(reports.last?.tests.first?.attempts.map(\.outcome) == [.flaked, .flaked, .failed])
        #expect(outcome.errorOutput.contains { $0.contains("their report does not") })
    }

    @Test(
        "a test whose steps were retried has the report attached if it cannot be written to a file, though nothing flaked",
        arguments: ["Steps", "PlainSteps"]
    )
    func attachedSteps(testClass: String) async throws {
        let outcome = try await run(testClass, called: "/proc/none/Demo", environment: environment(bundle: ""))
        let reports = try attachedReports(in: outcome)
        #expect(reports.map { $0.steps.map(\.test) } == [["-[\(testClass) test]"]])
        #expect(reports.map(\.tests) == [[]])
    }

    private func attachedReports(in outcome: ChildRun) throws -> [Report] {
        let opening = "  attachment \(ReportLocation.fileName), keepAlways: "
        return try outcome.output.filter { $0.hasPrefix(opening) }.map { line in
            try Report(json: Array(line.dropFirst(opening.count).replacing("⏎", with: "\n").utf8))
        }
    }

    @Test("a step of a page object fails the test that runs, also in a run without a RetryableTestCase")
    func stepOfAPage() async throws {
        let run = try await run("PlainStepOfAPage", expecting: 1)
        #expect(run.cases == ["-[PlainStepOfAPage test] failed"])
        #expect(run.issues.map { $0.hasSuffix("autoRetry: Pay did not succeed in 1 try") } == [true])
        #expect(run.outcome.errorOutput.isEmpty)
    }
}
