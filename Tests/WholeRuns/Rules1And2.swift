import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a failure becomes, inside a section and outside")
struct InsideAndOutsideTests: RowTable {
    static var rows: [Row] {
        Row(
            "1: a failure in nested sections is a flake of the innermost that has retries left",
            [.flaked("inner"), .flaked("outer"), .passed]
        )
        .xctest(Nested.self) { run in #expect(run.report.tests.map(\.mark.reason) == ["outer"]) }
        .testing("Sections/nested")
        Row("1: a failure inside a section with retries left is a flake", [.flaked, .passed])
            .xctest { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "too early") }
            } expecting: { run in
                let end = " - too early; reason: a race (fixable); retry 1 of 1 follows"
                #expect(run.skips.map { $0.contains(end) } == [true])
                let retry = try #require(run.report.tests.first)
                #expect((retry.name, retry.mark.reason, retry.mark.isFixable) == ("-[RowTest test]", "a race", true))
                #expect((retry.line, retry.mark.maxRetryCount) == (#line - 6, 1))
                #expect(retry.file?.hasSuffix("WholeRuns/Rules1And2.swift") == true)
            }
            .testing("Sections/flakesOnce") { run in
                let issue = try #require(run.issues.first)
                #expect((run.issues.count, issue.isKnown) == (1, true))
                #expect((issue.file, issue.line) == ("WholeRunProgram/Rules1And2.swift", flakesOnceLine))
                #expect(issue.lines.dropFirst() == ["too early", "a race"])
                let retry = try #require(run.report.tests.first)
                #expect(retry.name == "Sections/flakesOnce()")
                #expect((retry.mark.reason, retry.mark.isFixable) == ("a race", true))
                #expect((retry.line, retry.mark.maxRetryCount) == (flakesOnceLine, 1))
                #expect(retry.file?.hasSuffix("WholeRuns/Rules1And2.swift") == true)
                let messages = retry.attempts.first?.failures.map(\.message)
                #expect(messages == ["Expectation failed: Test.retryCount > 0 (Test.retryCount → 0): too early"])
            }
        Row(
            "1: a mark on a test makes a section of the whole test",
            [.flaked("a whole test"), .flaked("a whole test"), .passed]
        )
        .testing("Sections/whole")
        Row("1: a mark on a test makes it retryable, without a suite", [.flaked, .passed])
            .testing("wholeWithoutSuite")
        Row(
            "1: a failure that contains the mark's matching text is a flake, and the report has that text",
            [.flaked, .passed]
        )
        .both { test in
            test.flaky(.timeOut) { test.failOnce("it timed out") }
        } expecting: { _, report in
            #expect(report.tests.map(\.mark.matching) == ["timed out"])
        }
        Row("1: an error whose description contains the mark's matching text is a flake", [.flaked, .passed])
            .both { test in try test.flaky(.fixable(reason: "a race", matching: "Boom")) { try test.throwOnce() } }
        Row("1: a failure without the mark's matching text is real", failures: [.recorded("no such user")])
            .both { test in test.flaky(.timeOut) { test.failOnce("no such user") } }
        Row(
            "1: a failure without the mark's matching text is a flake of an outer section that can hold it",
            [.flaked("outer"), .passed]
        )
        .testing {
            flaky(.notFixable(reason: "outer")) {
                flaky(.timeOut) { #expect(Test.retryCount > 0, "no such user") }
            }
        }
        Row(
            "2: a failure in a second section is real if the first has used up as many retries as that allows",
            [.flaked, .failed],
            failures: [.recorded("another")]
        )
        .both { test in
            test.flaky(.race) { test.failOnce() }
            test.flaky(.fixable(reason: "another")) { if test.retryCount > 0 { test.fail("another") } }
        } expecting: { _, report in
            #expect(report.tests.first?.mark.reason == "another")
        }
        Row(
            "2: of sections that are all used up, the one that allowed most has the failure, in the report and in the counts",
            [.flaked("outer"), .flaked("outer"), .flaked("outer"), .failed],
            failures: [.recorded("inside")]
        )
        .both { test in
            test.flaky(.notFixable(reason: "outer", maxRetryCount: 3)) {
                if test.retryCount < 3 { test.fail("before") }
                test.flaky(.fixable(reason: "inner")) { if test.retryCount == 3 { test.fail("inside") } }
            }
        } expecting: { _, report in
            let retry = try #require(report.tests.first)
            #expect((retry.mark.reason, retry.attemptedRetries, retry.mark.maxRetryCount) == ("outer", 3, 3))
            #expect(report.marks?.map { "\($0.mark.reason): \($0.failures)" } == ["inner: 0", "outer: 1"])
        }
        Row(
            "2: the record allows no fewer retries than there were, whichever section failed last",
            [.flaked("three retries"), .flaked("three retries"), .failed],
            failures: [.recorded("beside it")]
        )
        .both { test in
            test.flaky(.notFixable(reason: "three retries", maxRetryCount: 3)) {
                if test.retryCount < 2 { test.fail("before") }
            }
            test.flaky(.fixable(reason: "one retry")) { if test.retryCount == 2 { test.fail("beside it") } }
        } expecting: { _, report in
            let retry = try #require(report.tests.first)
            #expect((retry.mark.reason, retry.attemptedRetries, retry.mark.maxRetryCount) == ("one retry", 2, 3))
        }
        Row(
            "2: the record allows no fewer retries where an attempt flaked in a section with more retries than the one in which it then failed",
            [.flaked("one retry"), .failed("three retries"), .passed],
            failures: [.recorded("beside it")]
        )
        .testing {
            flaky(.fixable(reason: "one retry")) { if Test.retryCount == 0 { Issue.record("before") } }
            flaky(.notFixable(reason: "three retries", maxRetryCount: 3)) {
                if Test.retryCount == 1 { Issue.record("before") }
            }
            flaky(.fixable(reason: "one retry")) { if Test.retryCount == 1 { Issue.record("beside it") } }
        } expecting: { run in
            let retry = try #require(run.report.tests.first)
            #expect((retry.mark.reason, retry.attemptedRetries, retry.mark.maxRetryCount) == ("one retry", 2, 3))
        }
        Row(
            "2: what tasks record side by side in a section that is used up is in the report once",
            [.flaked, .failed],
            failures: Array(repeating: .recorded("side by side"), count: 200)
        )
        .testing {
            await flaky(.race) {
                if Test.retryCount == 0 { Issue.record("before") }
                await withTaskGroup { group in
                    for _ in 0..<(Test.retryCount == 0 ? 0 : 200) {
                        group.addTask { _ = Issue.record("side by side") }
                    }
                }
            }
        } expecting: { run in
            #expect(run.report.tests.first?.attempts.last?.failures.count == 200)
        }
        Row(
            "2: the record names the section in which the run's limit of flakes made a retry fail",
            [.flaked("three retries"), .failed],
            failures: [
                "failed - refused (in a flaky section, but not retried: RETRYABLE_MAX_FLAKES=1 is reached)"
            ],
            environment: ["RETRYABLE_MAX_FLAKES": "1"]
        )
        .xctest { test in
            test.flaky(.notFixable(reason: "three retries", maxRetryCount: 3)) {
                if test.retryCount == 0 { XCTFail("before") }
            }
            test.flaky(.notFixable(reason: "another", maxRetryCount: 2)) {
                if test.retryCount == 1 { XCTFail("refused") }
            }
        } expecting: { run in
            let retry = try #require(run.report.tests.first)
            #expect((retry.mark.reason, retry.attemptedRetries, retry.mark.maxRetryCount) == ("another", 1, 3))
        }
        Row(
            "2: a failure on the last attempt is real, and the report has the failures of all attempts",
            [.flaked("always"), .flaked("always"), .failed],
            failures: [.recorded("attempt 3")]
        )
        .xctest(NeverPasses.self) { run in
            let attempts = run.report.tests.first?.attempts ?? []
            #expect(attempts.map { $0.failures.map(\.message) } == (1...3).map { ["failed - attempt \($0)"] })
            let place = "-[NeverPasses testFails] failed, 3 attempts; failure: "
            checkSummary(run.errorOutput, "Retryable: \(place)")
        }
        .testing("Sections/neverPasses") { run in
            let place = "Sections/neverPasses() failed, 3 attempts; failure: "
            checkSummary(run.ourLines, "Retryable: \(place)")
        }
        Row(
            "2: a failure outside of sections is real, not retried and not in the report",
            failures: [.recorded("outside")]
        )
        .xctest(FailsOutside.self) { run in #expect(run.errorOutput.isEmpty) }
        .testing {
            flaky(.fixable(reason: "passes")) {}
            Issue.record("outside")
        }
        Row("2: a failure in a section whose mark allows no retry is real", failures: [.recorded("inside")])
            .both { test in test.flaky(.notFixable(reason: "is not", maxRetryCount: 0)) { test.fail("inside") } }
        Row("2: a run whose sections all pass prints nothing and leaves an empty report")
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
        Row("2: an issue in a section that is only a warning is no flake")
            .testing {
                #if compiler(>=6.3)  // which has warnings
                    flaky(.race) { _ = Issue.record("a warning", severity: .warning) }
                #endif
            }
        Row("2: a known issue in a section is no flake", known: ["known to the test"])
            .testing {
                flaky(.race) { withKnownIssue("known to the test") { _ = Issue.record("inside") } }
            }
        Row(
            "2: a failure in a section inside of withKnownIssue is a flake, and the known issue is not recorded",
            [.flakedAndFailed, .failed],
            failures: ["Known issue was not recorded: known to the test"],
            known: ["known to the test"]
        )
        .testing {
            withKnownIssue("known to the test") { flaky(.race) { #expect(Bool(false)) } }
        }
        Row("1: an issue that withKnownIssue in a section does not match is a flake", [.flaked, .passed])
            .testing {
                flaky(.race) {
                    withKnownIssue("not this one", isIntermittent: true) {
                        #expect(Test.retryCount > 0)
                    } matching: {
                        $0.comments.contains("something else")
                    }
                }
            }
        Row("1: an issue that withKnownIssue around a section does not match is a flake", [.flaked, .passed])
            .testing {
                withKnownIssue("not this one", isIntermittent: true) {
                    flaky(.race) { #expect(Test.retryCount > 0) }
                } matching: {
                    $0.comments.contains("something else")
                }
            }
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    @Test(
        "a test whose last failure is taken by an intermittent known issue around the section passes, and has not recovered"
    )
    func knownAround() async throws {
        let run = try await SwiftTestingRun.of("KnownAround")
        #expect(run.ending == .success)
        #expect(run.failures.isEmpty)
        #expect(run.reasons == ["a race", "known to the test"])
        #expect(run.report.tests.map(\.outcome) == [.failed])
        #expect(run.report.tests.first?.attempts.map(\.outcome) == [.flaked, .failed])
    }

    private static func checkSummary(_ lines: [String], _ place: String) {
        #expect(lines.count == 3)
        #expect(lines.first == "Retryable: 1 failed")
        let line = lines.first { $0.hasPrefix(place) }
        #expect(line?.contains("attempt 3, at ") == true)
        #expect(line?.contains("; reason: always (not fixable), at ") == true)
        #expect(line?.contains("WholeRuns/Rules1And2.swift:") == true)
        #expect(lines.last?.hasSuffix("retryable-retries.json") == true)
    }

    @Test("2: a failure in a section of a test that no suite runs is real")
    func byHand() async throws {
        let run = try await run(RunsAnotherByHand.self)
        #expect(run.printed == ["by hand: 1 failures"])
        #expect(run.cases == ["NeverPasses.testFails failed", "RunsAnotherByHand.test passed"])
        #expect(run.report.tests.isEmpty)
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

#if PROGRAM
    @Suite(.retryable) struct KnownAround {
        @Test func test() {
            withKnownIssue("known to the test", isIntermittent: true) { flaky(.race) { #expect(Bool(false)) } }
        }
    }
#endif
