import Foundation
import RetryReport
import Testing

/// How a retry runs.
@Suite("How a retry runs")
struct RetryTests {
    @Test("retries run after everything else, inside the outermost suite, whose totals include them")
    func order() async throws {
        let run = try await run("flakes once")
        #expect(
            run.suites
                == ["All tests", "debug.xctest", "FlakesOnce", "Retries", "FlakesOnce"].map {
                    $0 == "debug.xctest" ? run.suites[1] : $0
                }
        )
        #expect(
            run.output.suffix(2) == [
                "Test Suite 'All tests' passed",
                "\t Executed 3 tests, with 1 test skipped and 0 failures (0 unexpected)",
            ]
        )
    }

    @Test("the retry suite follows a selection of tests as well")
    func selection() async throws {
        let run = try await run("flakes once", selected: "XCTestScenarios.FlakesOnce/testFlakes")
        #expect(run.suites == ["Selected tests", "FlakesOnce", "Retries", "FlakesOnce"])
        #expect(run.cases == ["FlakesOnce.testFlakes skipped", "FlakesOnce.testFlakes passed"])
    }

    @Test("rounds go class by class, between the fixtures of each, and leave classes alone that need no retry")
    func rounds() async throws {
        let run = try await run("two classes")
        let retries = try #require(run.output.firstIndex(of: "Test Suite 'Retries' started"))
        let rest = run.output[retries...].filter {
            $0.hasSuffix("started") || $0.hasSuffix("set up") || $0.hasSuffix("torn down")
        }
        #expect(
            rest == [
                "Test Suite 'Retries' started",
                "Test Suite 'First' started", "First set up",
                "Test Case 'First.test1' started", "Test Case 'First.test2' started", "First torn down",
                "Test Suite 'Second' started", "Second set up", "Test Case 'Second.test1' started", "Second torn down",
                "Test Suite 'First' started", "First set up", "Test Case 'First.test1' started", "First torn down",
                "Test Suite 'Second' started", "Second set up", "Test Case 'Second.test1' started", "Second torn down",
            ]
        )
        #expect(run.report.retries.map(\.name) == ["-[First test1]", "-[First test2]", "-[Second test1]"])
    }

    @Test("the order is the same in every process")
    func sameOrder() async throws {
        var outputs: Set<[String]> = []
        for _ in 1...10 { outputs.insert(try await run("two classes").cases) }
        #expect(outputs.count == 1)
    }

    @Test("an inherited test in a subclass of a subclass is made again whole")
    func subclass() async throws {
        let run = try await run("subclass")
        #expect(run.cases == ["Subclass.testFlakes skipped", "Subclass.testFlakes passed"])
        #expect(run.report.retries.map(\.name) == ["-[Subclass testFlakes]"])
    }

    @Test("a thousand flakes recover")
    func thousand() async throws {
        let run = try await run("thousand")
        #expect(run.report.retries.count == 1000)
        #expect(run.report.retries.allSatisfy { $0.outcome == .recovered })
        #expect(run.errorOutput.first == "Retryable: 1000 flaky")
    }

    @Test("two thousand rounds end")
    func long() async throws {
        let run = try await run("long")
        #expect(run.report.retries.map(\.attemptedRetries) == [2_000])
        #expect(run.report.retries.first?.attempts.count == 2_001)
    }

    @Test("without a flake the output is that of XCTestCase, to the byte")
    func dropIn() async throws {
        let plain = try await run("plain", expecting: .failure)
        let retryable = try await run("retryable plain", expecting: .failure)
        func asPlain(_ lines: [String]) -> [String] {
            lines.map {
                $0.replacing("RetryablePlain", with: "Plain").replacing(#/Sections\.swift:\d+/#, with: "Sections.swift")
            }
        }
        #expect(asPlain(retryable.output) == asPlain(plain.output))
        #expect(retryable.errorOutput == plain.errorOutput)
        #expect(!plain.output.isEmpty)
        #expect(plain.errorOutput.isEmpty)
    }

    @Test("a run without a flake says nothing of itself, and leaves an empty report")
    func silence() async throws {
        let run = try await run("passes")
        #expect(!run.output.contains { $0.contains("Retr") })
        #expect(run.errorOutput.isEmpty)
        #expect(run.report.retries.isEmpty)
        #expect(run.report.run?.finishedAt != nil)
    }

    @Test("the summary names each test that flaked, how it ended, why and where, and the report")
    func summary() async throws {
        let run = try await run("never passes", expecting: .failure)
        #expect(run.errorOutput.count == 3)
        #expect(run.errorOutput.first == "Retryable: 1 failed")
        let line = try #require(run.errorOutput.dropFirst().first)
        #expect(
            line.hasPrefix("Retryable: -[NeverPasses testFails] failed, 3 attempts: always (not fixable), at ")
        )
        #expect(line.contains("Fixtures/Scenarios/XCTest/Sections.swift:"))
        #expect(run.errorOutput.last?.hasSuffix("retryable-retries.json") == true)
    }

    @Test("a standard error that takes nothing does not end the run", arguments: ["nobody hears", "nobody reads"])
    func unheard(scenario: String) async throws {
        let run = try await run(scenario)
        let cases = ["testStep passed", "testFlakes passed", "testFlakes passed"]
        #expect(run.cases.map { $0.split(separator: ".").last.map(String.init) } == cases)
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.report.run?.finishedAt != nil)
    }

    @Test("no reason or message can forge a line, on standard output or on standard error")
    func hostile() async throws {
        let run = try await run("hostile")
        #expect(run.cases == ["Hostile.test skipped", "Hostile.test passed"])
        #expect(run.output.count { $0.hasPrefix("Test Suite 'All tests' passed") } == 1)
        let everything = (run.output + run.errorOutput).joined()
        #expect(!everything.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\t" })
        #expect(!everything.unicodeScalars.contains("\u{2028}"))
        #expect(run.report.retries.first?.reason == "a\nTest Suite 'All tests' passed\u{1B}[2J\0\"quoted\"\u{2028}")
    }

    @Test("a process that dies leaves the tests that wait for a retry in its report, pending")
    func crash() async throws {
        let run = try await run("crash", expecting: .signal(SIGKILL))
        #expect(run.report.retries.map(\.name) == ["-[Crashes test1]"])
        #expect(run.report.retries.map(\.outcome) == [.pending])
        #expect(run.report.retries.map(\.attemptedRetries) == [0])
        #expect(run.report.run?.finishedAt == nil)
    }
}
