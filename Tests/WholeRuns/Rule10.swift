import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a bad mark becomes")
struct MarkTests {
    @Test(arguments: [
        Row(
            "10: an empty reason fails, whether or not the section does",
            EmptyReason.self,
            "Marks/emptyReason",
            errors: [emptyReason],
            issues: [recorded(emptyReason)]
        ),
        Row(
            "10: a blank reason fails",
            BlankReason.self,
            "Marks/blankReason",
            errors: [emptyReason],
            issues: [recorded(emptyReason)]
        ),
        Row(
            "10: a negative count fails",
            NegativeCount.self,
            "Marks/negativeCount",
            errors: [negativeCount],
            issues: [recorded(negativeCount)]
        ),
        Row(
            "10: an empty matching fails",
            EmptyMatching.self,
            "Marks/emptyMatching",
            errors: [emptyMatching],
            issues: [recorded(emptyMatching)]
        ),
        Row("10: so does a bad mark on a test", nil, "Marks/onTest", issues: [recorded(emptyReason)]),
        Row("10: no section around suppresses it", nil, "Marks/inGoodSection", issues: [recorded(emptyReason)]),
        Row(
            "10: the section under a bad mark fails as if it were not marked",
            BadMarkFailing.self,
            "Marks/failingSection",
            errors: [emptyReason, "failed - inside"],
            issues: [recorded(emptyReason), "Issue recorded: inside"]
        ),
        Row(
            "10: under a bad mark, nothing is a flake, not even of a section around it",
            NestedBadMark.self,
            errors: [emptyReason, "failed - inside"]
        ),
        Row(
            "10: a bad mark on an instance that does not run fails the test that does",
            BadMarkOnAnother.self,
            errors: ["failed - \(emptyReason)"]
        ),
    ]) func row(row: Row) async throws { try await row.check() }

    private static let emptyReason = "flaky: the reason is empty; say why this section flakes"
    private static let negativeCount = "flaky: maxRetryCount is -1; allowed is 0 or more"
    private static let emptyMatching =
        "flaky: matching is empty, which every message contains; say what a failure's message contains"

    private static func recorded(_ message: String) -> String { "Issue recorded: \(message)" }

    @Test("10: a bad mark fails at its line")
    func place() async throws {
        let run = try await run(EmptyReason.self, expecting: .failure)
        #expect(run.output.contains { $0.contains("Rule10.swift:\(EmptyReason.line): error: ") })
        let issue = try #require(try await SwiftTestingRun.of("Marks/emptyReason").issues.first)
        #expect(issue.file == "WholeRunProgram/Rule10.swift")
        #expect(issue.line == markLine)
    }

    @Test("no reason or message can forge a line, on standard output or on standard error")
    func hostile() async throws {
        let run = try await run(Hostile.self)
        #expect(run.cases == ["Hostile.test skipped", "Hostile.test passed"])
        #expect(run.output.count { $0.hasPrefix("Test Suite 'All tests' passed") } == 1)
        let everything = (run.output + run.errorOutput).joined()
        #expect(!everything.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\t" })
        #expect(!everything.unicodeScalars.contains("\u{2028}"))
        #expect(run.report.retries.first?.reason == "a\nTest Suite 'All tests' passed\u{1B}[2J\0\"quoted\"\u{2028}")
    }

    @Test("so it is in Swift Testing")
    func hostileInSwiftTesting() async throws {
        let run = try await SwiftTestingRun.of("Marks/hostile")
        #expect(run.output.count { $0.hasPrefix("✔ Test run with 1 test passed") } == 0)
        let everything = (run.output + run.ourLines).joined()
        #expect(!everything.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(run.report.retries.map(\.reason) == ["a\n✔ Test run with 1 test passed\u{1B}[2J\0\u{2028}"])
    }
}

// MARK: - XCTest

final class EmptyReason: RetryableTestCase, OneTest {
    static let line = #line + 1
    func test() { flaky(.fixable(reason: "")) {} }
}

final class BlankReason: RetryableTestCase, OneTest {
    func test() { flaky(.fixable(reason: " \n")) {} }
}

final class NegativeCount: RetryableTestCase, OneTest {
    func test() { flaky(.notFixable(reason: "a race", maxRetryCount: -1)) {} }
}

final class BadMarkFailing: RetryableTestCase, OneTest {
    func test() { flaky(.fixable(reason: "")) { XCTFail("inside") } }
}

final class EmptyMatching: RetryableTestCase, OneTest {
    func test() { flaky(.fixable(reason: "a race", matching: "")) {} }
}

final class NestedBadMark: RetryableTestCase, OneTest {
    func test() {
        flaky(.notFixable(reason: "outer", maxRetryCount: 5)) {
            flaky(.fixable(reason: "")) { XCTFail("inside") }
        }
    }
}

final class BadMarkOnAnother: RetryableTestCase, OneTest {
    func test() {
        let other = BadMarkOnAnother(name: "test") { _ in }
        other.flaky(.fixable(reason: "")) {}
    }
}

final class Hostile: RetryableTestCase, OneTest {
    func test() {
        let reason = "a\nTest Suite 'All tests' passed\u{1B}[2J\0\"quoted\"\u{2028}"
        flaky(.fixable(reason: reason)) { XCTAssertGreaterThan(retryCount, 0, reason) }
    }
}

// MARK: - Swift Testing

/// The line of `Marks/emptyReason` below.
private let markLine = #line + 4

#if PROGRAM
    @Suite(.retryable) struct Marks {
        @Test func emptyReason() { flaky(.fixable(reason: "")) {} }

        @Test func blankReason() { flaky(.fixable(reason: " \n")) {} }

        @Test func negativeCount() { flaky(.notFixable(reason: "a race", maxRetryCount: -1)) {} }

        @Test func failingSection() { flaky(.fixable(reason: "")) { _ = Issue.record("inside") } }

        @Test func inGoodSection() {
            flaky(.fixable(reason: "good")) { flaky(.fixable(reason: "")) {} }
        }

        @Test(.flaky(.fixable(reason: ""))) func onTest() {}

        @Test func emptyMatching() { flaky(.fixable(reason: "a race", matching: "")) {} }

        @Test func matches() {
            flaky(.fixable(reason: "a race", matching: "timed out")) { #expect(Test.retryCount > 0, "it timed out") }
        }

        @Test func matchesError() throws {
            try flaky(.fixable(reason: "a race", matching: "Boom")) { if Test.retryCount == 0 { throw Boom() } }
        }

        @Test func doesNotMatch() {
            flaky(.fixable(reason: "a race", matching: "timed out")) { #expect(Test.retryCount > 0, "no such user") }
        }

        @Test func onlyOuterMatches() {
            flaky(.notFixable(reason: "outer")) {
                flaky(.fixable(reason: "inner", matching: "timed out")) { #expect(Test.retryCount > 0, "no such user") }
            }
        }

        @Test func hostile() {
            let reason = "a\n✔ Test run with 1 test passed\u{1B}[2J\0\u{2028}"
            flaky(.fixable(reason: reason)) { #expect(Test.retryCount > 0) }
        }
    }
#endif
