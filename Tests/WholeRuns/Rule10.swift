import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a bad mark becomes")
struct MarkTests: RowTable {
    static var rows: [Row] {
        Row(
            "10: an empty reason is a failure at the line of its mark, even if the section passes",
            failures: [emptyReason]
        )
        .xctest { test in
            test.flaky(.fixable(reason: "")) {}
        } expecting: { run in
            let line = #line - 2
            #expect(run.output.contains { $0.contains("Rule10.swift:\(line): error: ") })
        }
        .testing {
            flaky(.fixable(reason: "")) {}
        } expecting: { run in
            let line = #line - 2
            #expect(run.issues.map(\.line) == [line])
            #expect(run.issues.map(\.file) == ["WholeRunProgram/Rule10.swift"])
        }
        Row("10: a blank reason is a failure", failures: [emptyReason])
            .both { test in test.flaky(.fixable(reason: " \n")) {} }
        Row("10: a negative maxRetryCount is a failure", failures: [bad("maxRetryCount is -1; allowed is 0 or more")])
            .both { test in test.flaky(.notFixable(reason: "a race", maxRetryCount: -1)) {} }
        Row(
            "10: an empty matching text is a failure",
            failures: [
                bad("matching is empty, which every message contains; say what a failure's message contains")
            ]
        )
        .both { test in test.flaky(.fixable(reason: "a race", matching: "")) {} }
        Row(
            "10: a date that does not exist is a failure",
            failures: [bad("until is \"2027-02-29\"; allowed is a date such as 2027-01-31")]
        )
        .both { test in test.flaky(.notFixable(reason: "a race", until: "2027-02-29")) {} }
        Row(
            "10: a text that is no date is a failure, and forges no line",
            failures: [bad("until is \"soon\\n::error::\"; allowed is a date such as 2027-01-31")]
        )
        .both { test in test.flaky(.fixable(reason: "a race", until: "soon\n::error::")) {} }
        Row("a mark whose date is over works as before, and the report has the date", [.flaked, .passed])
            .both { test in
                test.flaky(.fixable(reason: "a race", until: "2001-01-01")) { test.failOnce() }
            } expecting: { _, report in
                #expect(report.tests.map(\.mark.until) == ["2001-01-01"])
                #expect(report.marks?.map(\.mark.until) == ["2001-01-01"])
            }
        Row("10: a bad mark on a test is a failure", failures: [emptyReason])
            .testing("badMark")
        Row("10: a bad mark inside of another section is a real failure", failures: [emptyReason])
            .both { test in test.flaky(.fixable(reason: "good")) { test.flaky(.fixable(reason: "")) {} } }
        Row("10: a failure in a section with a bad mark is real", failures: [emptyReason, .recorded("inside")])
            .both { test in test.flaky(.fixable(reason: "")) { test.fail("inside") } }
        Row(
            "10: a failure in a section with a bad mark is no flake of an outer section",
            failures: [emptyReason, .recorded("inside")]
        )
        .xctest { test in
            test.flaky(.notFixable(reason: "outer", maxRetryCount: 5)) {
                test.flaky(.fixable(reason: "")) { XCTFail("inside") }
            }
        }
        Row("10: a bad mark on another instance fails the running test", failures: [.recorded(emptyReason.xctest)])
            .xctest { _ in Passes(name: "test") { _ in }.flaky(.fixable(reason: "")) {} }
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    private static let emptyReason = bad("the reason is empty; say why this section flakes")

    private static func bad(_ why: String) -> Row.Failure {
        .init("flaky: \(why)", testing: "Issue recorded: flaky: \(why)")
    }

    @Test("no reason or message of XCTest can forge a line on standard output or standard error")
    func hostile() async throws {
        let run = try await run(Hostile.self)
        #expect(run.cases == ["Hostile.test skipped", "Hostile.test passed"])
        #expect(run.output.count { $0.hasPrefix("Test Suite 'All tests' passed") } == 1)
        let everything = (run.output + run.errorOutput).joined()
        #expect(!everything.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\t" })
        #expect(!everything.unicodeScalars.contains("\u{2028}"))
        #expect(run.report.tests.first?.mark.reason == "a\nTest Suite 'All tests' passed\u{1B}[2J\0\"quoted\"\u{2028}")
    }

    @Test("no reason of Swift Testing can forge a line on standard output or standard error")
    func hostileInSwiftTesting() async throws {
        let run = try await SwiftTestingRun.of("Hostiles")
        #expect(run.output.count { $0.hasPrefix("✔ Test run with 1 test passed") } == 0)
        let everything = (run.output + run.ourLines).joined()
        #expect(!everything.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(run.report.tests.map(\.mark.reason) == ["a\n✔ Test run with 1 test passed\u{1B}[2J\0\u{2028}"])
    }
}

// MARK: - Tests that need more than a row

final class Hostile: RetryableTestCase, OneTest {
    func test() {
        let reason = "a\nTest Suite 'All tests' passed\u{1B}[2J\0\"quoted\"\u{2028}"
        flaky(.fixable(reason: reason)) { XCTAssertGreaterThan(retryCount, 0, reason) }
    }
}

#if PROGRAM
    @Test(.flaky(.fixable(reason: ""))) func badMark() {}

    @Suite(.retryable) struct Hostiles {
        @Test func test() {
            let reason = "a\n✔ Test run with 1 test passed\u{1B}[2J\0\u{2028}"
            flaky(.fixable(reason: reason)) { #expect(Test.retryCount > 0) }
        }
    }
#endif
