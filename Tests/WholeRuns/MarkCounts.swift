import Foundation
import RetryReport
import Retryable
import RetryableTesting
import TestSupport
import Testing

/// What the report says of sections, whether or not they flaked.
@Suite("The counts of marks")
struct MarkCountTests {
    struct Counts: Sendable {
        var program: any Program.Type
        var arguments: [String] = []
        var ending = ChildRun.Ending.success
        var environment: [String: String] = [:]
        /// Each as reason, runs, flakes, failures.
        var counts: [String]
    }

    @Test(
        "a mark counts the attempts that entered its section, those that flaked because of it, and those that failed",
        arguments: [
            Counts(program: Passes.self, counts: ["never does 1 0 0"]),
            Counts(program: FlakesOnce.self, counts: ["a race 2 1 0"]),
            Counts(program: NeverPasses.self, ending: .failure, counts: ["always 3 2 1"]),
            Counts(program: Nested.self, counts: ["outer 3 1 0", "inner 3 1 0"]),
            Counts(program: EntersAgain.self, counts: ["outer 1 0 0", "another reason 1 0 0", "inner 1 0 0"]),
            Counts(program: FailsTwice.self, ending: .failure, counts: ["one 2 1 1", "other 2 1 0", "late 1 0 0"]),
            Counts(program: FailsOutside.self, ending: .failure, counts: ["not this part 1 0 0"]),
            Counts(program: EightFlakesOnce.self, counts: ["a race 16 8 0"]),
            Counts(
                program: FlakesOnce.self,
                ending: .failure,
                environment: ["RETRYABLE_MODE": "strict"],
                counts: ["a race 1 1 0"]
            ),
            Counts(
                program: EightFlakesOnce.self,
                ending: .failure,
                environment: ["RETRYABLE_MAX_FLAKES": "5"],
                counts: ["a race 13 8 0"]
            ),
            Counts(
                program: Dies.self,
                arguments: ["trap", "in a section, always"],
                ending: .failure,
                environment: ["RETRYABLE_SUPERVISE": "1", "SWIFT_BACKTRACE": "enable=no"],
                counts: ["a race 3 2 1"]
            ),
            Counts(
                program: CrashesTwice.self,
                ending: .failure,
                environment: ["RETRYABLE_SUPERVISE": "1", "SWIFT_BACKTRACE": "enable=no"],
                counts: ["early 1 0 0", "late 1 0 0"]
            ),
            Counts(program: RetryablePlain.self, ending: .failure, counts: []),
        ]
    )
    func counts(row: Counts) async throws {
        let run = try await run(row.program, with: row.arguments, expecting: row.ending, environment: row.environment)
        #expect(run.report.marks?.map { "\($0.mark.reason) \($0.attempts) \($0.flakes) \($0.failures)" } == row.counts)
        #expect(run.report.marks?.allSatisfy { $0.module == "WholeRunProgram" } == true)
    }

    @Test("the count of a mark says where its section is and what the mark allows")
    func places() async throws {
        let run = try await run(NeverPasses.self, expecting: .failure)
        let mark = try #require(run.report.marks?.first)
        let retry = try #require(run.report.tests.first)
        #expect(mark.file.hasSuffix("WholeRuns/Rules1And2.swift"))
        #expect((mark.file, mark.line, mark.mark.reason) == (retry.file ?? "", retry.line ?? 0, retry.mark.reason))
        #expect(mark.mark.maxRetryCount == 2)
        #expect(!mark.mark.isFixable)
    }

    @Test("say what a mark allowed last, as the record of its test does")
    func changingMarks() async throws {
        let run = try await run(AllowsMore.self)
        #expect(run.report.marks?.map(\.mark.maxRetryCount) == [3])
        #expect(run.report.tests.map(\.mark.maxRetryCount) == [2])
    }

    @Test("the counts of processes that run in parallel are added up")
    func parallel() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let environment = ["RETRYABLE_REPORT": folder.report.path, "RETRYABLE_RUN_ID": "one"]
        try await withThrowingTaskGroup(of: ChildRun.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await ChildRun.of(
                        Checkout.wholeRunProgram,
                        ["FlakesOnce"],
                        environment: environment
                    )
                }
            }
            for try await run in group { #expect(run.ending == .success) }
        }
        let mark = try #require(try Report(contentsOf: folder.report).marks?.first)
        #expect((mark.attempts, mark.flakes) == (16, 8))
    }

    @Test(
        "a mark counts runs and flakes in Swift Testing, too, and in strict mode",
        arguments: [("retry", 2, 1), ("strict", 1, 0)]
    )
    func swiftTesting(mode: String, runs: Int, retries: Int) async throws {
        let run = try await SwiftTestingRun.of("Sections/flakesOnce", environment: ["RETRYABLE_MODE": mode])
        let mark = try #require(run.report.marks?.first)
        #expect(run.report.marks?.count == 1)
        #expect((mark.attempts, mark.flakes, mark.failures) == (runs, 1, 0))
        #expect((mark.mark.reason, mark.line, mark.module) == ("a race", flakesOnceLine, "WholeRunProgram"))
        #expect(run.report.tests.count == retries)
    }
}

// MARK: - Programs

final class EntersAgain: RetryableTestCase, OneTest {
    func test() {
        for _ in 0..<3 {
            flaky(.fixable(reason: "outer")) {
                for reason in ["inner", "another reason"] { flaky(.fixable(reason: reason)) {} }
            }
        }
    }
}

/// The failure of the one section makes that of the other come too late for a retry; the third holds no such failure.
final class FailsTwice: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test1", test1), ("test2", test2)])] }

    func test1() {
        flaky(.fixable(reason: "one")) { XCTFail("always") }
        flaky(.fixable(reason: "other")) { XCTFail("always") }
    }

    func test2() {
        flaky(.fixable(reason: "late", matching: "timed out")) { XCTFail("always") }
    }
}

/// Crashes in sections that hold no crash, so no record of a test is written.
final class CrashesTwice: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test1", test1), ("test2", test2)])] }

    func test1() { flaky(.fixable(reason: "early", matching: "timed out")) { fatalError("on purpose") } }

    func test2() { flaky(.fixable(reason: "late", matching: "timed out")) { fatalError("on purpose") } }
}

final class AllowsMore: RetryableTestCase, OneTest {
    func test() {
        flaky(.notFixable(reason: "a race", maxRetryCount: retryCount + 1)) { XCTAssertGreaterThan(retryCount, 1) }
    }
}
