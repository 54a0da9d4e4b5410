import Foundation
import Testing

@testable import RetriesCommand
@testable import RetryReport

@Suite("A brief about one flaky test")
struct BriefTests {
    private static let file = "Tests/ShopTests/token.swift"
    private static let source = """
        import Retryable

        final class FlakyTests: RetryableTestCase {
            private func tokens() -> [String] { ["a"] }

            // Reads a token.
            func test() {
                flaky(.fixable(reason: "a late token")) {
                    XCTAssertEqual(tokens(), [])
                }
            }

            /// Writes a token.
            func testWrites() {}
        }

        """

    /// 80 runs in which three tests flaked.
    private static let reports: [Report] = Sample.causes.map { report in
        var report = report
        for index in report.marks?.indices ?? 0..<0 { report.marks?[index].line = 8 }
        for index in report.tests.indices {
            let reason = report.tests[index].mark.reason
            report.tests[index].name = reason == "a late token" ? "-[FlakyTests test]" : "-[Shop \(reason)]"
            (report.tests[index].line, report.tests[index].attempts[0].failures[0].line) = (8, 9)
            report.tests[index].attempts[0].failures[0].file = report.tests[index].file
        }
        return report
    }

    /// The runs, and the source of one of the tests.
    private func history() throws -> CommandRun {
        let run = try CommandRun()
        try run.makeFolder(".git")
        for (number, report) in Self.reports.enumerated() { try run.write(report, to: "flakes/\(number).json") }
        try run.write(["CODEOWNERS": "*.swift @org/shop", Self.file: Self.source], to: ".")
        return run
    }

    /// The results of `retries why`, in which half of the runs failed with delays.
    private func why(_ condition: Condition = .delays, fails: Bool = true, of tests: [String]? = nil) throws -> [UInt8]
    {
        var comparison = ConditionComparison(of: [nil, condition], rounds: 20)
        for number in 0..<20 {
            comparison.add(number == 3 || !fails ? .failed : .passed, under: nil, seconds: 1)
            comparison.add(number % 2 == 0 && fails ? .failed : .passed, under: condition, seconds: 1)
        }
        comparison.decide()
        var results = RepetitionResults(conditions: comparison.rows, outcomes: [:], marks: [])
        results.tests = tests
        results.causes = comparison.causes.compactMap { $0.condition?.rawValue }
        (results.sentences, results.command) = (["It relies on time.", "To reproduce it:"], "swift run retries …")
        return try ResultFormat.json.bytes(of: results, hasColor: false)
    }

    @Test(
        "without events, why may name the test by its display name",
        arguments: ["\"one of many\"", "FlakyTests.test", "other()"]
    )
    func displayName(name: String) throws {
        let run = try history()
        try run.write(why(of: [name]), to: "why.json")
        #expect(run("brief", "-[FlakyTests test]", "flakes", "--why", "why.json").code == (name == "other()" ? 2 : 0))
    }

    @Test("a brief is as the expected output has it")
    func whole() throws {
        let run = try history()
        try run.write(why(), to: "why.json")
        let outcome = run("brief", "-[FlakyTests test]", "flakes", "--why", "why.json")
        #expect(outcome.code == 0 && outcome.errors == "retries: read 80 reports in flakes\n")
        try ExpectedOutputTests.compare(Array(outcome.output.utf8), with: "brief.md")
    }

    @Test(
        "a test is found by its name, and by a part of it that no other has",
        arguments: [
            "-[FlakyTests test]", "ShopTests -[FlakyTests test]", "FlakyTests/test", "ShopTests.FlakyTests/test",
            "test",
            "FlakyTe",
        ]
    )
    func name(name: String) throws {
        let outcome = try history()("brief", name, "flakes", "--output", "brief.md")
        #expect(outcome == CommandRun.Outcome(errors: "retries: read 80 reports in flakes\n"))
    }

    @Test(
        "without a test to write about, a line says why, with code 2",
        arguments: [
            (["brief"], "brief needs the name of a test (retries brief TEST [FILE…] [OPTION…])"),
            (
                ["brief", "FlakyTests/tset", "flakes"],
                "no test that flaked is called FlakyTests/tset; did you mean FlakyTests/test? (retries report shows all)"
            ),
            (
                ["brief", "the server", "flakes"],
                "the server is in the names of 2 tests: ShopTests -[Shop the server is away: basket], "
                    + "ShopTests -[Shop the server is away: search]"
            ),
            (["brief", "test", "none.json"], "there is no report none.json, and so nothing for a brief"),
            (["brief", "test", "flakes", "--why", "none"], "none cannot be read: No such file or directory"),
            (
                ["brief", "test", "flakes", "--why", "flakes/0.json"],
                "flakes/0.json is not what retries why --format json writes"
            ),
        ]
    )
    func refusals(arguments: [String], message: String) throws {
        let outcome = try history()(arguments)
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.hasSuffix("retries: \(message)\n"))
    }

    @Test("a brief says what is not here: the source, and counts in a report of an older version")
    func missing() throws {
        let run = try history()
        let elsewhere = run("brief", "basket", "flakes").output
        #expect(elsewhere.contains("\n<code>Tests/ShopTests/basket.swift</code> is not here.\n"))
        #expect(elsewhere.contains("\n         these 2 flaked together in 8 of the 8 runs in which any flaked "))
        try run.write(Report(run: Sample.run("1"), tests: [Sample.flaked("old", in: 0)]), to: "old.json")
        let old = run("brief", "testSignsIn", "old.json").output
        #expect(old.contains("\nreason: old (fixable), at "))
        #expect(old.contains("\nthe reports do not count how often its section ran\n"))
        #expect(old.contains("retries repeat 100 --until-flake -- "))
    }

    @Test("the commands repeat as often as the rate asks for, under the cause if there is one, and with the seed")
    func commands() throws {
        let run = try history()
        func start(_ arguments: String...) -> Substring {
            let lines = run(["brief", "FlakyTests", "flakes"] + arguments).output.split(separator: "\n")
            return lines.first { $0.contains(" --until-flake") }?.prefix { $0 != "'" } ?? ""
        }
        let end = "--until-flake -- swift test --skip-build --filter "
        #expect(start() == "swift run retries repeat 46 \(end)")  // 21 of 80 runs
        try run.write(why(), to: "why.json")
        #expect(start("--why", "why.json") == "swift run retries repeat 24 --under delays \(end)")
        try run.write(why(.load, fails: false), to: "why.json")
        #expect(start("--why", "why.json") == "swift run retries repeat 46 \(end)")
        let this = "FlakyTests.test"
        try run.write(why(of: [this]), to: "why.json")
        #expect(start("--why", "why.json") == "swift run retries repeat 24 --under delays \(end)")
        try run.write(why(of: [this, "FlakyTests.testWrites"]), to: "why.json")
        #expect(start("--why", "why.json") == "swift run retries repeat 46 \(end)")
        let note = "\nThese were runs of 2 tests, of which another may have this cause.\n"
        #expect(run("brief", "FlakyTests", "flakes", "--why", "why.json").output.contains(note))
        try run.write(why(of: ["FlakyTests.testWrites"]), to: "why.json")
        #expect(
            run("brief", "FlakyTests", "flakes", "--why", "why.json").errors.split(separator: "\n").last
                == "retries: why.json is of other tests: run why --format json for ShopTests -[FlakyTests test]"
        )
        var seeded = Self.reports[78]
        seeded.tests[0].attempts[0].taskSeed = TaskSeed(seed: 3)
        try run.write(seeded, to: "flakes/78.json")
        #expect(start().hasPrefix("RETRYABLE_TASK_SEED=3 swift run retries repeat "))
    }

    @Test("the commands repeat a test as often as its share of its mark's flakes asks for")
    func sharedMark() throws {
        let run = try CommandRun()
        for number in 0..<10 {
            var test = Sample.flaked("late", in: number)
            if number > 1 { test.name = "-[LoginTests test\(number)]" }
            let report = Sample.run(number, [Sample.mark("late", runs: 8, flakes: 1)], retries: [test])
            try run.write(report, to: "flakes/\(number).json")
        }
        #expect(run("brief", "testSignsIn", "flakes").output.contains("retries repeat 60 --until-flake"))
    }

    @Test("neither source nor messages end their block, or begin a line that is a command to a CI")
    func hostile() throws {
        let run = try history()
        let lines = Sample.hostileText + "\n````\n```\n\t::error::forged\n::error::forged\n##[error]forged\u{1B}[31m\n"
        try run.write([Self.file: lines + Self.source + lines], to: ".")
        var report = Self.reports[78]
        report.tests[0].attempts[0].failures[0].message = lines
        report.tests[0].name = "-[Hostile \(Sample.hostileText)]"
        report.tests[0].mark.reason = lines
        report.run?.origin.commit = lines
        try run.write(report, to: "hostile.json")
        let output = run("brief", "Hostile", "hostile.json").output
        let plain = output.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
        #expect(!plain.contains { $0.hasPrefix("::") || $0.contains("##[") })
        #expect(!output.hasControlCharacters)
        var fence: Substring?
        for line in plain where line.hasPrefix("```") {
            if fence == nil {
                fence = line.prefix { $0 == "`" }
            } else if line == fence {
                fence = nil
            }
        }
        let headings = plain.filter { $0.hasPrefix("## ") }
        #expect(fence == nil && headings.count == 4, "\(headings)")
        #expect(output.contains("\n`````swift\n"))
    }
}
