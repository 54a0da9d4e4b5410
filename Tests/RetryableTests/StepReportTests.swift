import RetryReport
import Testing

@Suite("What is known of steps afterwards")
struct StepReportTests {
    @Test(
        "the reference's examples work as they are printed, in both kinds of class",
        arguments: [("examples", "RetryableExamples"), ("plain examples", "PlainExamples")]
    )
    func examples(scenario: String, testClass: String) async throws {
        let run = try await run(scenario)
        #expect(
            run.printed == [
                // testBasics
                "launch app", "launch app",
                "sign in as ada", "launch", "sign in as ada",
                // testMyAwesomeTest
                "launch", "launch", "sign in", "launch", "sign in", "go to page", "go home", "go to page",
                // testNested
                "launch", "launch", "sign in", "launch", "sign in", "go to page", "go home", "go to page",
            ]
        )
        #expect(run.cases.count == 3)
        #expect(run.cases.allSatisfy { $0.hasPrefix(testClass) && $0.hasSuffix("passed") })
        #expect(run.report.steps.count == 8)
        #expect(run.report.run?.finishedAt != nil)
    }

    @Test(
        "a step that needed a retry stands in the report, whatever class it was in",
        arguments: [("examples", "RetryableExamples"), ("plain examples", "PlainExamples")]
    )
    func report(scenario: String, testClass: String) async throws {
        let step = try #require(try await run(scenario).report.steps.first)
        #expect(step.test == "-[\(testClass) testBasics]")
        #expect(step.module == "XCTestScenarios")
        #expect(step.action == "Launch")
        #expect(step.file?.hasPrefix("Fixtures/Scenarios/XCTest/StepExamples+") == true)
        #expect((step.line ?? 0) > 0)
        #expect(step.retries == 1)
        #expect(step.succeeded)
        #expect(step.duration > 0)
    }

    @Test("a report that cannot be written is worth a warning once tests have run, and fails nothing")
    func unwritable() async throws {
        let run = try await run("plain examples", environment: ["RETRYABLE_REPORT": "/dev/null/no/such/folder"])
        #expect(run.cases.count == 3)
        #expect(run.errorOutput.count { $0.hasPrefix("Retryable: ") } == 1)
    }

    @Test("a mode that cannot be read is worth a warning once tests have run")
    func unreadableMode() async throws {
        let run = try await run("plain examples", environment: ["RETRYABLE_MODE": "often"])
        #expect(run.cases.count == 3)
        #expect(run.errorOutput.contains { $0.hasPrefix("Retryable: RETRYABLE_MODE is \"often\"") })
    }
}
