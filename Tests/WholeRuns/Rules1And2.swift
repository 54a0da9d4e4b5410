import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a failure becomes, inside a section and outside")
struct InsideAndOutsideTests: RowTable {
    static var rows: [Row] {
        Row("1: the innermost section with retries left has the flake", [.flaked("inner"), .flaked("outer"), .passed])
            .xctest(Nested.self) { run in #expect(run.report.retries.map(\.reason) == ["outer"]) }
            .testing("Sections/nested")
        Row("1: a failure inside a section with retries left is a flake", [.flaked, .passed])
            .xctest { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "too early") }
            } expecting: { run in
                let end = " - too early; reason: a race (fixable); retry 1 of 1 follows"
                #expect(run.skips.map { $0.contains(end) } == [true])
                let retry = try #require(run.report.retries.first)
                #expect((retry.name, retry.reason, retry.fixable) == ("-[RowTest test]", "a race", true))
                #expect((retry.line, retry.maxRetriesAllowed) == (#line - 6, 1))
                #expect(retry.file?.hasSuffix("WholeRuns/Rules1And2.swift") == true)
            }
            .testing("Sections/flakesOnce") { run in
                let issue = try #require(run.issues.first)
                #expect((run.issues.count, issue.isKnown) == (1, true))
                #expect((issue.file, issue.line) == ("WholeRunProgram/Rules1And2.swift", flakesOnceLine))
                #expect(issue.lines == ["Expectation failed: (Test.retryCount → 0) > 0", "too early", "a race"])
                let retry = try #require(run.report.retries.first)
                #expect((retry.name, retry.reason, retry.fixable) == ("Sections/flakesOnce()", "a race", true))
                #expect((retry.line, retry.maxRetriesAllowed) == (flakesOnceLine, 1))
                #expect(retry.file?.hasSuffix("WholeRuns/Rules1And2.swift") == true)
                let messages = retry.attempts.first?.failures.map(\.message)
                #expect(messages == ["Expectation failed: (Test.retryCount → 0) > 0: too early"])
            }
        Row("1: a whole test is a section", [.flaked("a whole test"), .flaked("a whole test"), .passed])
            .testing("Sections/whole")
        Row("1: a test that is marked itself has opted in", [.flaked, .passed])
            .testing("wholeWithoutSuite")
        Row("1: a section may hold only what matches, which stands in the report", [.flaked, .passed])
            .both { test in
                test.flaky(.timeOut) { test.failOnce("it timed out") }
            } expecting: { _, report in
                #expect(report.retries.map(\.matching) == ["timed out"])
            }
        Row("1: an error matches by its description", [.flaked, .passed])
            .both { test in try test.flaky(.fixable(reason: "a race", matching: "Boom")) { try test.throwOnce() } }
        Row("1: what does not match is real", failures: [.recorded("no such user")])
            .both { test in test.flaky(.timeOut) { test.failOnce("no such user") } }
        Row("1: or a flake of the section around", [.flaked("outer"), .passed])
            .testing {
                flaky(.notFixable(reason: "outer")) {
                    flaky(.timeOut) { #expect(Test.retryCount > 0, "no such user") }
                }
            }
        Row("2: no retry is left for a flake of another section", [.flaked, .failed], failures: [.recorded("another")])
            .both { test in
                test.flaky(.race) { test.failOnce() }
                test.flaky(.fixable(reason: "another")) { if test.retryCount > 0 { test.fail("another") } }
            } expecting: { _, report in
                #expect(report.retries.first?.reason == "another")
            }
        Row(
            "2: the last attempt's failure is left as it is; the report has each attempt's, the summary the test and its place",
            [.flaked("always"), .flaked("always"), .failed],
            failures: [.recorded("attempt 3")]
        )
        .xctest(NeverPasses.self) { run in
            let attempts = run.report.retries.first?.attempts ?? []
            #expect(attempts.map { $0.failures.map(\.message) } == (1...3).map { ["failed - attempt \($0)"] })
            let place = "-[NeverPasses testFails] failed, 3 attempts; failure: "
            checkSummary(run.errorOutput, "Retryable: \(place)")
        }
        .testing("Sections/neverPasses") { run in
            let place = "Sections/neverPasses() failed, 3 attempts; failure: "
            checkSummary(run.ourLines, "Retryable: \(place)")
        }
        Row("2: a failure outside is real, not retried and not in the report", failures: [.recorded("outside")])
            .xctest(FailsOutside.self) { run in #expect(run.errorOutput.isEmpty) }
            .testing {
                flaky(.fixable(reason: "passes")) {}
                Issue.record("outside")
            }
        Row("2: a section may allow no retry", failures: [.recorded("inside")])
            .both { test in test.flaky(.notFixable(reason: "is not", maxRetryCount: 0)) { test.fail("inside") } }
        Row("2: a section that passes leaves no trace but an empty report")
            .xctest(Passes.self) { run in
                #expect(!run.output.contains { $0.contains("Retr") })
                #expect(run.errorOutput.isEmpty)
                #expect(run.report.run?.finishedAt != nil)
            }
            .testing {
                flaky(.fixable(reason: "passes")) {}
            } expecting: { run in
                #expect(run.ourLines.isEmpty)
                #expect(run.report.run?.finishedAt != nil)
            }
        Row("2: a warning is no failure")
            .testing {
                #if compiler(>=6.3)  // which has warnings
                    flaky(.race) { _ = Issue.record("a warning", severity: .warning) }
                #endif
            }
        Row("2: what the test itself knows to fail is no flake", known: ["known to the test"])
            .testing {
                flaky(.race) { withKnownIssue("known to the test") { _ = Issue.record("inside") } }
            }
        Row(
            "2: around the section, the section has the failure first, and what the test knows does not come",
            [.flakedAndFailed, .passed],
            failures: ["Known issue was not recorded: known to the test"],
            known: ["known to the test"]
        )
        .testing {
            withKnownIssue("known to the test") { flaky(.race) { #expect(Bool(false)) } }
        }
        Row("1: inside of the section, what the test does not know is a flake", [.flaked, .passed])
            .testing {
                flaky(.race) {
                    withKnownIssue("not this one", isIntermittent: true) {
                        #expect(Test.retryCount > 0)
                    } matching: {
                        $0.comments.contains("something else")
                    }
                }
            }
        Row("1: what the test knows hides no flake that it does not know", [.flaked, .passed])
            .testing {
                withKnownIssue("not this one", isIntermittent: true) {
                    flaky(.race) { #expect(Test.retryCount > 0) }
                } matching: {
                    $0.comments.contains("something else")
                }
            }
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    private static func checkSummary(_ lines: [String], _ place: String) {
        #expect(lines.count == 3)
        #expect(lines.first == "Retryable: 1 failed")
        let line = lines.first { $0.hasPrefix(place) }
        #expect(line?.contains("attempt 3, at ") == true)
        #expect(line?.contains("; reason: always (not fixable), at ") == true)
        #expect(line?.contains("WholeRuns/Rules1And2.swift:") == true)
        #expect(lines.last?.hasSuffix("retryable-retries.json") == true)
    }

    @Test("2: a test that no suite runs fails at once, because nothing comes after which to retry it")
    func byHand() async throws {
        let run = try await run(RunsAnotherByHand.self)
        #expect(run.printed == ["by hand: 1 failures"])
        #expect(run.cases == ["NeverPasses.testFails failed", "RunsAnotherByHand.test passed"])
        #expect(run.report.retries.isEmpty)
    }
}

extension Flakiness {
    fileprivate static let timeOut = fixable(reason: "a race", matching: "timed out")
}

// MARK: - XCTest

final class FlakesOnce: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("testFlakes", testFlakes), ("testPasses", testPasses)])] }

    func testFlakes() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0, "too early") }
    }

    func testPasses() {}
}

final class Nested: RetryableTestCase, OneTest {
    func test() {
        flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
            flaky(.fixable(reason: "inner")) { XCTAssertGreaterThan(retryCount, 1) }
        }
    }
}

final class NeverPasses: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("testFails", testFails)])] }

    func testFails() {
        flaky(.notFixable(reason: "always", maxRetryCount: 2)) { XCTFail("attempt \(retryCount + 1)") }
    }
}

final class FailsOutside: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "not this part")) { XCTAssertTrue(true) }
        XCTFail("outside")
    }
}

/// Runs a test that no suite runs, and reports its result.
final class RunsAnotherByHand: XCTestCase, OneTest {
    func test() {
        let test = NeverPasses(name: "testFails") { ($0 as? NeverPasses)?.testFails() }
        test.run()
        print("by hand: \(test.testRun?.totalFailureCount ?? -1) failures")
    }
}

// MARK: - Swift Testing

/// The line of the mark of `Sections/flakesOnce` below.
let flakesOnceLine = #line + 5

#if PROGRAM
    @Suite(.retryable) struct Sections {
        @Test func flakesOnce() {
            flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0, "too early") }
            #expect(Bool(true))
        }

        @Test func nested() {
            flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
                flaky(.fixable(reason: "inner")) { #expect(Test.retryCount > 1) }
            }
        }

        @Test func neverPasses() {
            flaky(.notFixable(reason: "always", maxRetryCount: 2)) {
                _ = Issue.record("attempt \(Test.retryCount + 1)")
            }
        }

        @Test(.flaky(.notFixable(reason: "a whole test", maxRetryCount: 2)))
        func whole() throws {
            if Test.retryCount == 0 { throw Boom() }
            #expect(Test.retryCount > 1)
        }
    }

    /// Not in a suite that has opted in.
    @Test(.flaky(.fixable(reason: "a race"))) func wholeWithoutSuite() {
        #expect(Test.retryCount > 0)
    }
#endif
