import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("retries history")
struct HistoryTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
    }

    @Test("says of each mark how often it flakes, how surely, and what to do")
    func verdicts() throws {
        try write(Sample.many)
        let marks = try history().marks
        #expect(marks.map(\.verdict) == ["broken", "needed", "notSeen", "new"])
        #expect(marks.map(\.runs) == [120, 120, 120, 9])
        #expect(marks.map(\.flakedRuns) == [120, 3, 0, 0])
        #expect(marks[1].rateLow < 0.025 && marks[1].rateHigh > 0.025)
        #expect(marks[1].runsSinceFlake == 32)
        #expect(marks[1].tests == [Document.Test(name: "-[LoginTests testSignsIn]", flakes: 3, seconds: 4.5)])
        #expect(marks[1].lastFlake?.message == "XCTAssertTrue failed")
        #expect(marks[1].trend.count == 60)
    }

    @Test("takes two copies of one run, and the shards that were given its id, for one run")
    func sameRun() throws {
        try write([Sample.run(1, [Sample.mark("late", flakes: 1)])])
        let once = try history()
        try run.write(Sample.run(1, [Sample.mark("late", flakes: 1)]), to: "reports/copy.json")
        // The same report, read before the run had ended: it tells less.
        var early = Sample.run(1, [])
        early.run?.finishedAt = nil
        try run.write(early, to: "reports/0-early.json")
        #expect(try history() == once)
        var shard = Sample.run(1, [Sample.mark("late"), Sample.mark("other")])
        shard.run?.startedAt += 5
        try run.write(shard, to: "reports/shard.json")
        let marks = try history().marks
        #expect(try history().runs.count == 1)
        #expect(marks.map(\.attempts) == [2, 1])
        #expect(marks.map(\.runs) == [1, 1])
        #expect(marks.map(\.flakedRuns) == [1, 0])
    }

    @Test("knows a mark by its file and its reason, whatever its line")
    func shiftingLines() throws {
        try write([
            Sample.run(1, [Sample.mark("late", line: 10, flakes: 1)]),
            Sample.run(2, [Sample.mark("late", line: 30), Sample.mark("late", file: "Tests/Other.swift", line: 1)]),
            // Two of one reason in one file are one mark, at the line of the first.
            Sample.run(3, [Sample.mark("late", line: 70, flakes: 1), Sample.mark("late", line: 35)]),
            Sample.run(4, [Sample.mark("late", line: 44), Sample.mark("slow", line: 50)]),
        ])
        let marks = try history().marks.sorted { ($0.file ?? "", $0.reason) < ($1.file ?? "", $1.reason) }
        #expect(marks.map(\.line) == [1, 44, 50])
        #expect(marks.map(\.runs) == [1, 4, 1])
        #expect(marks.map(\.flakedRuns) == [0, 2, 0])
        #expect(marks.map(\.attempts) == [1, 5, 1])
        #expect(marks.map(\.isInNewestRun) == [false, true, true])
        try write([Sample.run(5, [Sample.mark("late", line: 70), Sample.mark("late", line: 35)])])
        #expect(try history().marks.map(\.line).contains(35))
    }

    @Test("leaves out reports of versions that did not count marks, and says so")
    func uncounted() throws {
        try write([Sample.run(1, [Sample.mark("late")])])
        let old = """
            {"retries": [{"name": "-[LoginTests testSignsIn]", "maxRetriesAllowed": 3, "attemptedRetries": 2,
            "reason": "slow", "fixable": true}]}
            """
        try run.write(Array(old.utf8), to: "reports/old.json")
        #expect(try history().marks.map(\.reason) == ["late"])
        #expect(
            run("history", "reports").errors
                == "retries: left out reports/old.json, which does not count marks: an older version wrote it\n"
        )
        #expect(run("history", "reports/old.json").code == 2)
    }

    @Test("counts a flake of a mark that no process of the run counted")
    func uncountedMark() throws {
        try write([Sample.run(1, [], retries: [Sample.flaked("slow", in: 1)])])
        let mark = try #require(try history().marks.first)
        #expect((mark.runs, mark.flakedRuns, mark.attempts) == (1, 1, 1))
    }

    @Test("counts what a run that was killed half-way has told, and says that it did not end")
    func killed() throws {
        var killed = Sample.run(2, [Sample.mark("late")], retries: [Sample.flaked("late", in: 2)])
        killed.run?.finishedAt = nil
        try write([Sample.run(1, [Sample.mark("late")]), killed])
        let mark = try #require(try history().marks.first)
        #expect((mark.runs, mark.flakedRuns, mark.flakes) == (2, 1, 1))
        #expect(run("history", "reports").output.contains("1 run did not end"))
    }

    @Test("names what cannot be read, and fails only if nothing can")
    func unreadable() throws {
        try write([Sample.run(1, [Sample.mark("late")])])
        try run.write(Array("{\"retries\": 3}".utf8), to: "reports/broken.json")
        let outcome = run("history", "reports", "missing.json")
        #expect(outcome.code == 0)
        #expect(
            outcome.errors == """
                retries: left out missing.json, which is not there
                retries: left out reports/broken.json, which cannot be read: retries is not an array

                """
        )
        try run.write(Array("{".utf8), to: "bad/1.json")
        #expect(run("history", "bad").code == 2)
        #expect(run("history", "bad").errors.hasSuffix("\nretries: no report can be read, in 1 file\n"))
        try run.makeFolder("empty")
        #expect(run("history", "empty").errors.contains("there is no report in empty"))
        #expect(run("history", "empty").code == 2)
        #expect(run("history").code == 2)
        #expect(run("history", "reports", "--stale", "0").code == 2)
    }

    @Test("says when a mark was seen first and last, in every format", arguments: HistoryFormat.allCases)
    func seen(format: HistoryFormat) throws {
        try write((1...4).map { Sample.run($0, [2, 3].contains($0) ? [Sample.mark("late")] : []) })
        let output = run("history", "reports", "--format", format.rawValue).output
        #expect(output.contains("11:30:00"))
        #expect(output.contains("12:30:00"))
    }

    @Test("looks like this", arguments: HistoryFormat.allCases)
    func formats(format: HistoryFormat) throws {
        try write(Sample.many)
        let outcome = run("history", "reports", "--format", format.rawValue)
        #expect(outcome.code == 0)
        try ExpectedOutputTests.compare(Array(outcome.output.utf8), with: "history.\(format.fileExtension)")
    }

    @Test("shows text from tests as text, in every format", arguments: HistoryFormat.allCases)
    func hostile(format: HistoryFormat) throws {
        let text = Sample.hostileText
        try write([
            Sample.run(
                1,
                [Sample.mark(text, file: text, flakes: 1)],
                retries: [Sample.flaked(text, file: text, in: 1)],
                id: text
            )
        ])
        let outcome = run("history", "reports", "--format", format.rawValue)
        #expect(outcome.code == 0)
        #expect(!outcome.output.contains("\u{1B}"))
        if format == .html { #expect(!outcome.output.contains("<script>alert")) }
        if format == .text { #expect(!outcome.output.contains("\n::error")) }
        #expect(!outcome.output.contains("\n##["))
    }

    // MARK: - The document

    private struct Document: Decodable, Equatable {
        var runs: [Run]
        var marks: [Mark]

        struct Run: Decodable, Equatable {
            var unfinished: Bool
        }

        struct Mark: Decodable, Equatable {
            var file: String?
            var line: Int?
            var reason: String
            var runs: Int
            var flakedRuns: Int
            var runsSinceFlake: Int
            var rateLow: Double
            var rateHigh: Double
            var attempts: Int
            var flakes: Int
            var isInNewestRun: Bool
            var lastFlake: LastFlake?
            var tests: [Test]
            var trend: [Block]
            var verdict: String
        }

        struct LastFlake: Decodable, Equatable {
            var message: String?
        }

        struct Test: Decodable, Equatable {
            var name: String
            var flakes: Int
            var seconds: Double
        }

        struct Block: Decodable, Equatable {
            var runs: Int
        }
    }

    private func write(_ reports: [Report]) throws {
        for (number, report) in reports.enumerated() { try run.write(report, to: "reports/\(number).json") }
    }

    private func history() throws -> Document {
        let outcome = run("history", "reports", "--format", "json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
    }
}

extension HistoryFormat {
    fileprivate var fileExtension: String {
        switch self {
        case .text: "txt"
        case .markdown: "md"
        case .html: "html"
        case .json: "json"
        }
    }
}
