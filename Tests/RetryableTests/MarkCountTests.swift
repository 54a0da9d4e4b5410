import Foundation
import RetryReport
import TestSupport
import Testing

/// What the report says of sections, whether or not they flaked.
@Suite("Counted marks")
struct MarkCountTests {
    struct Row: Sendable {
        var scenario: String
        var ending = ChildRun.Ending.success
        var environment: [String: String] = [:]
        /// Each as reason, runs, flakes, failures.
        var counts: [String]
    }

    @Test(
        "have the attempts that entered the section, those that flaked because of it, and those that failed for good",
        arguments: [
            Row(scenario: "passes", counts: ["never does 1 0 0"]),
            Row(scenario: "flakes once", counts: ["a race 2 1 0"]),
            Row(scenario: "never passes", ending: .failure, counts: ["always 3 2 1"]),
            Row(scenario: "nested", counts: ["outer 3 1 0", "inner 3 1 0"]),
            Row(scenario: "fails outside", ending: .failure, counts: ["not this part 1 0 0"]),
            Row(scenario: "eight flakes", counts: ["a race 16 8 0"]),
            Row(
                scenario: "flakes once",
                ending: .failure,
                environment: ["RETRYABLE_MODE": "strict"],
                counts: ["a race 1 1 0"]
            ),
            Row(
                scenario: "eight flakes",
                ending: .failure,
                environment: ["RETRYABLE_MAX_FLAKES": "5"],
                counts: ["a race 13 8 0"]
            ),
            Row(
                scenario: "trap in a section, always",
                ending: .failure,
                environment: ["RETRYABLE_SUPERVISE": "1", "SWIFT_BACKTRACE": "enable=no"],
                counts: ["a race 3 2 1"]
            ),
            Row(scenario: "retryable plain", ending: .failure, counts: []),
        ]
    )
    func counts(row: Row) async throws {
        let run = try await run(row.scenario, expecting: row.ending, environment: row.environment)
        #expect(run.report.marks?.map { "\($0.reason) \($0.runs) \($0.flakes) \($0.failures)" } == row.counts)
        #expect(run.report.marks?.allSatisfy { $0.module == "XCTestScenarios" } == true)
    }

    @Test("say where the section is and what its mark allows")
    func places() async throws {
        let run = try await run("never passes", expecting: .failure)
        let mark = try #require(run.report.marks?.first)
        let retry = try #require(run.report.retries.first)
        #expect(mark.file.hasSuffix("Scenarios/XCTest/Sections.swift"))
        #expect((mark.file, mark.line, mark.reason) == (retry.file ?? "", retry.line ?? 0, retry.reason))
        #expect(mark.maxRetryCount == 2)
        #expect(!mark.fixable)
    }

    @Test("say what a mark allowed last, as the record of its test does")
    func changingMarks() async throws {
        let run = try await run("allows more on each attempt")
        #expect(run.report.marks?.map(\.maxRetryCount) == [3])
        #expect(run.report.retries.map(\.maxRetriesAllowed) == [2])
    }

    @Test("of processes that run beside each other, as with swift test --parallel, are added up")
    func parallel() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let environment = ["RETRYABLE_REPORT": folder.report.path, "RETRYABLE_RUN_ID": "one"]
        try await withThrowingTaskGroup(of: ChildRun.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await ChildRun.of(
                        Checkout.program("XCTestScenarios"),
                        ["flakes once"],
                        environment: environment
                    )
                }
            }
            for try await run in group { #expect(run.ending == .success) }
        }
        let mark = try #require(try Report(contentsOf: folder.report).marks?.first)
        #expect((mark.runs, mark.flakes) == (16, 8))
    }
}
