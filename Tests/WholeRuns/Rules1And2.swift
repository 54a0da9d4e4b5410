import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a failure becomes, inside a section and outside")
struct InsideAndOutsideTests {
    @Test(arguments: [
        Row(
            "1: of nested sections, the innermost with retries left has the flake",
            Nested.self,
            "Sections/nested",
            flakes: ["inner (fixable)", "outer (not fixable)"],
            [.flaked, .flaked, .passed]
        ),
        Row(
            "1: a failure inside a section with retries left is a flake",
            nil,
            "Sections/flakesOnce",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "1: a whole test is a section",
            nil,
            "Sections/whole",
            flakes: ["a whole test (not fixable)", "a whole test (not fixable)"],
            [.flaked, .flaked, .passed]
        ),
        Row(
            "1: a test that is marked itself has opted in",
            nil,
            "wholeWithoutSuite",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "1: a section may hold only what matches",
            Matches.self,
            "Marks/matches",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "1: an error matches by its description",
            MatchesError.self,
            "Marks/matchesError",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "1: what does not match is real",
            DoesNotMatch.self,
            "Marks/doesNotMatch",
            errors: [#"XCTAssertGreaterThan failed: ("0") is not greater than ("0") - no such user"#],
            issues: ["Expectation failed: (Test.retryCount → 0) > 0: no such user"]
        ),
        Row(
            "1: or a flake of the section around",
            nil,
            "Marks/onlyOuterMatches",
            flakes: ["outer (not fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "2: the last attempt's failure is left as it is",
            NeverPasses.self,
            "Sections/neverPasses",
            flakes: ["always (not fixable)", "always (not fixable)"],
            errors: ["failed - attempt 3"],
            issues: ["Issue recorded: attempt 3"],
            [.flaked, .flaked, .failed]
        ),
        Row(
            "2: a failure outside a section is real, never run twice and never reported",
            FailsOutside.self,
            "Sections/failsOutside",
            errors: ["failed - outside"],
            issues: ["Issue recorded: outside"]
        ),
        Row(
            "2: a section may allow no retry",
            AllowsNoRetry.self,
            "Sections/allowsNoRetry",
            errors: ["failed - inside"],
            issues: ["Issue recorded: inside"]
        ),
        Row("2: a section that passes leaves no trace", Passes.self, "Sections/passes"),
        Row("2: a warning is no failure", nil, "Sections/warns"),
        Row(
            "2: what the test itself knows to fail is no flake",
            nil,
            "KnownIssues/inside",
            flakes: ["known to the test"]
        ),
        Row(
            "2: around the section, the section has the failure first, and what the test knows does not come",
            nil,
            "KnownIssues/around",
            flakes: ["a race (fixable)", "known to the test"],
            issues: ["Known issue was not recorded: known to the test"],
            [.failed, .failed]
        ),
        Row(
            "1: inside of the section, what the test does not know is a flake",
            nil,
            "KnownIssues/otherInside",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "1: what the test knows hides no flake that it does not know",
            nil,
            "KnownIssues/otherAround",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
    ]) func row(row: Row) async throws { try await row.check() }

    @Test("1: a failure inside a section is a flake, and the test that recovers passes the run")
    func flake() async throws {
        let run = try await run(FlakesOnce.self)
        #expect(
            run.cases == [
                "FlakesOnce.testFlakes skipped", "FlakesOnce.testPasses passed", "FlakesOnce.testFlakes passed",
            ]
        )
        #expect(run.errors.isEmpty)
        #expect(run.skips.count == 1)
        #expect(run.skips.first?.contains("too early; reason: a race (fixable); retry 1 of 1 follows") == true)
        let retry = try #require(run.report.retries.first)
        #expect(run.report.retries.count == 1)
        #expect(retry.name == "-[FlakesOnce testFlakes]")
        #expect(retry.module == "WholeRunProgram")
        #expect(retry.maxRetriesAllowed == 1)
        #expect(retry.attemptedRetries == 1)
        #expect(retry.reason == "a race")
        #expect(retry.fixable)
        #expect(retry.outcome == .recovered)
        #expect(retry.attempts.map(\.number) == [1, 2])
        #expect(retry.attempts.map(\.outcome) == [.flaked, .passed])
        #expect(retry.file?.hasSuffix("WholeRuns/Rules1And2.swift") == true)
    }

    @Test("1: what a section may hold stands in the report")
    func matching() async throws {
        #expect(try await run(Matches.self).report.retries.map(\.matching) == ["timed out"])
        #expect(try await run(MatchesError.self).report.retries.map(\.matching) == ["Boom"])
    }

    @Test("1: the last of nested sections that flaked is the one in the report")
    func nested() async throws {
        #expect(try await run(Nested.self).report.retries.map(\.reason) == ["outer"])
    }

    @Test("2: each attempt's failures stand in the report")
    func failures() async throws {
        let retry = try #require(try await run(NeverPasses.self, expecting: .failure).report.retries.first)
        #expect(retry.attempts.map { $0.failures.map(\.message) } == (1...3).map { ["failed - attempt \($0)"] })
    }

    @Test("2: a failure outside a section writes nothing on standard error")
    func outside() async throws {
        #expect(try await run(FailsOutside.self, expecting: .failure).errorOutput.isEmpty)
    }

    @Test("2: a test that no suite runs fails at once, because nothing comes after which to retry it")
    func byHand() async throws {
        let run = try await run(RunsAnotherByHand.self)
        #expect(run.printed == ["by hand: 1 failures"])
        #expect(run.cases == ["NeverPasses.testFails failed", "RunsAnotherByHand.test passed"])
        #expect(run.report.retries.isEmpty)
    }
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

final class Matches: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race", matching: "timed out")) { XCTAssertGreaterThan(retryCount, 0, "it timed out") }
    }
}

final class MatchesError: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.fixable(reason: "a race", matching: "Boom")) { if retryCount == 0 { throw Boom() } }
    }
}

final class DoesNotMatch: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race", matching: "timed out")) { XCTAssertGreaterThan(retryCount, 0, "no such user") }
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

final class AllowsNoRetry: RetryableTestCase, OneTest {
    func test() {
        flaky(.notFixable(reason: "may not be retried", maxRetryCount: 0)) { XCTFail("inside") }
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

        @Test func failsOutside() {
            flaky(.fixable(reason: "passes")) {}
            Issue.record("outside")
        }

        @Test func allowsNoRetry() {
            flaky(.notFixable(reason: "a race", maxRetryCount: 0)) { _ = Issue.record("inside") }
        }

        @Test func passes() {
            flaky(.fixable(reason: "passes")) {}
        }

        @Test(.flaky(.notFixable(reason: "a whole test", maxRetryCount: 2)))
        func whole() throws {
            if Test.retryCount == 0 { throw Boom() }
            #expect(Test.retryCount > 1)
        }

        @Test func warns() {
            #if compiler(>=6.3)  // which has warnings
                flaky(.fixable(reason: "a race")) { _ = Issue.record("a warning", severity: .warning) }
            #endif
        }
    }

    /// Not in a suite that has opted in.
    @Test(.flaky(.fixable(reason: "a race"))) func wholeWithoutSuite() {
        #expect(Test.retryCount > 0)
    }

    @Suite(.retryable) struct KnownIssues {
        @Test func inside() {
            flaky(.fixable(reason: "a race")) {
                withKnownIssue("known to the test") { _ = Issue.record("inside") }
            }
        }

        @Test func around() {
            withKnownIssue("known to the test") {
                flaky(.fixable(reason: "a race")) { #expect(Bool(false)) }
            }
        }

        @Test func otherInside() {
            flaky(.fixable(reason: "a race")) {
                withKnownIssue("not this one", isIntermittent: true) {
                    #expect(Test.retryCount > 0)
                } matching: {
                    $0.comments.contains("something else")
                }
            }
        }

        @Test func otherAround() {
            withKnownIssue("not this one", isIntermittent: true) {
                flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0) }
            } matching: {
                $0.comments.contains("something else")
            }
        }
    }
#endif
