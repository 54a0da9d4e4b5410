import RetryReport
import Testing

@Suite("Counted marks")
struct MarkCountTests {
    @Test("have the attempts that entered a section, and those that flaked because of it")
    func counts() async throws {
        let run = try await SwiftTestingRun.of("Sections/flakesOnce")
        let mark = try #require(run.report.marks?.first)
        #expect(run.report.marks?.count == 1)
        #expect((mark.runs, mark.flakes, mark.failures) == (2, 1, 0))
        #expect((mark.reason, mark.line, mark.module) == ("a race", 6, "TestingScenarios"))
    }

    @Test("have what a strict run does not suppress")
    func strict() async throws {
        let run = try await SwiftTestingRun.of("Sections/flakesOnce", environment: ["RETRYABLE_MODE": "strict"])
        let mark = try #require(run.report.marks?.first)
        #expect((mark.runs, mark.flakes, mark.failures) == (1, 1, 0))
        #expect(run.report.retries.isEmpty)
    }
}
