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

    private func history(_ reports: [Report]) -> History { History(reports.compactMap(RunRecord.init)) }

    private func write(_ reports: [Report]) throws {
        for (number, report) in reports.enumerated() { try run.write(report, to: "reports/\(number).json") }
    }

    @Test("retries history counts copies of one run, and the shards with its id, as one run")
    func sameRun() {
        let report = Sample.run(1, [Sample.mark("late", flakes: 1)])
        // The same report, read before the run had ended: it tells less.
        var early = Sample.run(1, [])
        early.run?.finishedAt = nil
        let copied = history([early, report, report])
        #expect(copied.runs.map(\.unfinished) == [false])
        #expect(copied.marks.map(\.evidence) == history([report]).marks.map(\.evidence))
        for secondsLater in [0.0, 5] {
            var shard = Sample.run(1, [Sample.mark("late"), Sample.mark("other")])
            shard.run?.startedAt += secondsLater
            let sharded = history([early, shard, report, shard])
            #expect(sharded.runs.count == 1)
            #expect(sharded.marks.map(\.evidence.attempts) == [2, 1])
            #expect(sharded.marks.map(\.evidence.runs) == [1, 1])
            #expect(sharded.marks.map(\.evidence.flakedRuns) == [1, 0])
        }
    }

    private func shard(_ number: Int, _ marks: [MarkCount] = [], of commit: String = "4f2c") -> Report {
        var report = Sample.run(number, marks)
        report.run?.origin.commit = commit
        return report
    }

    @Test("retries history counts reports of one run, of which a shard ran again, as one run")
    func ranAgain() {
        let first = shard(1, [Sample.mark("late", flakes: 1)])
        let others = [shard(2, [Sample.mark("other", flakes: 1)]), shard(3, [Sample.mark("other")])]
        let merged = others.map { Report(merging: [first, $0]) }
        for reports in [merged, merged.reversed(), [first] + merged] {
            let all = history(reports)
            #expect(all.runs.count == 1)
            #expect(all.marks.map(\.evidence) == history([merged[0]]).marks.map(\.evidence))
        }
        let bridged = [[1, 4], [2, 3], [3, 4]].map { numbers in
            var report = Report(merging: numbers.map { shard($0) })
            report.run?.startedAt = .distantPast
            return report
        }
        #expect(history(bridged).runs.count == 1)
    }

    @Test("retries history counts runs of several commits, though a build system has cached a shard of them")
    func cachedShard() {
        let late = Sample.mark("late", flakes: 1)
        let runs = (2..<5).map { Report(merging: [shard(1), shard($0, [late], of: "\($0)")]) }
        #expect(history(runs).marks.map(\.evidence.flakedRuns) == [3])
        // One that is merged of whole runs takes none of them away.
        let nights = (2..<5).map { shard($0, [late]) }
        #expect(history(nights + [Report(merging: nights)]).marks.map(\.evidence.flakedRuns) == [3])
    }

    @Test("retries history identifies a mark by its file and reason, not its line, and names those that are gone")
    func shiftingLines() {
        let reports = [
            Sample.run(1, [Sample.mark("late", line: 10, flakes: 1)]),
            Sample.run(2, [Sample.mark("late", line: 30), Sample.mark("late", file: "Tests/Other.swift", line: 1)]),
            // Two of one reason in one file are one mark, at the line of the first.
            Sample.run(3, [Sample.mark("late", line: 35), Sample.mark("late", line: 70, flakes: 1)]),
            Sample.run(4, [Sample.mark("late", line: 44), Sample.mark("slow", line: 50)]),
        ]
        let marks = history(reports).marks
        #expect(marks.map(\.newest.line) == [44, 50, 1])
        #expect(marks.map(\.evidence.runs) == [4, 1, 1])
        #expect(marks.map(\.evidence.flakedRuns) == [2, 0, 0])
        #expect(marks.map(\.evidence.attempts) == [5, 1, 1])
        #expect(marks.map(\.verdict) == [.needed, .new, .removed])
        #expect(marks[2].why == "the newest run did not enter it: it was removed, or its tests did not run")
        #expect(history(Array(reports.prefix(3))).marks.map(\.newest.line) == [35, 1])
    }

    @Test("retries history leaves out reports of versions that did not count marks, and says so")
    func uncounted() throws {
        try write([Sample.run(1, [Sample.mark("late")])])
        let old = """
            {"retries": [{"name": "-[LoginTests testSignsIn]", "maxRetriesAllowed": 3, "attemptedRetries": 2,
            "reason": "slow", "fixable": true}]}
            """
        try run.write(Array(old.utf8), to: "reports/old.json")
        let outcome = run("history", "reports")
        #expect(outcome.output.contains("SUMMARY  1 mark in 1 run: 1 new\n"))
        #expect(
            outcome.errors == """
                retries: left out reports/old.json, which does not count marks: an older version wrote it
                retries: read 2 reports in reports

                """
        )
        #expect(run("history", "reports/old.json").code == 2)
    }

    @Test("retries history counts what flaked in a run that was killed half-way, and says that it did not end")
    func killed() throws {
        var killed = Sample.run(2, [Sample.mark("late")], retries: [Sample.flaked("late", in: 2)])
        killed.run?.finishedAt = nil
        let history = history([Sample.run(1, [Sample.mark("late")]), killed])
        let evidence = try #require(history.marks.first?.evidence)
        #expect((evidence.runs, evidence.flakedRuns) == (2, 1))
        #expect(history.remarks.contains { $0.hasPrefix("1 run did not end") })
        // No process came to count this one.
        let uncounted = self.history([Sample.run(1, [], retries: [Sample.flaked("slow", in: 1)])]).marks[0].evidence
        #expect((uncounted.runs, uncounted.flakedRuns) == (1, 1))
        var old = Sample.flaked("slow", in: 1)
        old.attempts = []
        #expect(self.history([Sample.run(1, [], retries: [old])]).marks[0].tests.map(\.flakes) == [1])
        let unplaced = self.history([Sample.run(1, [Sample.mark("slow", file: "", line: 0)])]).marks[0].newest.place
        #expect(unplaced == "an unknown place")
    }

    @Test("retries history names what cannot be read in a folder, and fails only if nothing can")
    func unreadable() throws {
        try write([Sample.run(1, [Sample.mark("late")])])
        try run.write(Array("{\"retries\": 3}".utf8), to: "reports/broken.json")
        let outcome = run("history", "reports", "missing.json", "--allow-missing")
        #expect(outcome.code == 0)
        #expect(
            outcome.errors == """
                retries: left out reports/broken.json, which cannot be read: retries is not an array
                retries: read 1 report in reports
                retries: there is no report missing.json, which --allow-missing allows

                """
        )
        try run.write(Array("{".utf8), to: "bad/1.json")
        #expect(run("history", "bad", "--allow-missing").code == 2)
        #expect(run("history", "bad").errors.hasSuffix("\nretries: the folder bad holds no report that can be read\n"))
        try run.makeFolder("empty")
        #expect(run("history", "empty").errors.contains("the folder empty holds no report: "))
        #expect(run("history", "empty", "--allow-missing").output == "SUMMARY  No mark in 0 runs\n")
        #expect(run("history").code == 2)
        #expect(run("history", "reports", "--stale", "0").code == 2)
    }

    @Test(
        "retries history says when a mark was seen first and last, in every format",
        arguments: HistoryFormat.allCases
    )
    func seen(format: HistoryFormat) throws {
        let reports = (1...4).map { Sample.run($0, [2, 3].contains($0) ? [Sample.mark("late")] : []) }
        let output = String(decoding: try format.bytes(of: history(reports), hasColor: false), as: UTF8.self)
        #expect(output.contains("11:30:00"))
        #expect(output.contains("12:30:00"))
    }

    @Test(
        "retries history says how often each mark flakes, with which certainty, since when, with which others, and what to do",
        arguments: ["history", "causes"]
    )
    func formats(sample: String) throws {
        try write(sample == "causes" ? Sample.causes : Sample.many)
        for format in HistoryFormat.allCases {
            let outcome = run("history", "reports", "--format", format.rawValue)
            #expect(outcome.code == 0)
            let ending = format == .text ? "txt" : format == .markdown ? "md" : format.rawValue
            try ExpectedOutputTests.compare(Array(outcome.output.utf8), with: "\(sample).\(ending)")
        }
    }

    @Test(
        "retries history makes a page that begins with the next steps, has the defects first and explains each verdict"
    )
    func page() throws {
        // The sample with a group of flakes, and a defect outside of the group.
        let reports = Sample.causes.map { report in
            var report = report
            report.marks?.append(Sample.mark("<price>", file: "Tests/ShopTests/Price.swift", runs: 2, flakes: 2))
            return report
        }
        let page = String(decoding: try HistoryFormat.html.bytes(of: history(reports), hasColor: false), as: UTF8.self)
        let header = page.components(separatedBy: "</header>")[0]
        #expect(header.contains("<h1 class=\"bad\">5\u{A0}marks in 80\u{A0}runs: 1\u{A0}broken, "))
        #expect(header.contains("<p>Fix <code>&lt;price&gt;</code>: a defect, not a flake</p>"))
        #expect(header.contains("<p><code>a late token</code> changed: since 3838383838 it flakes in 50 % of runs"))
        #expect(header.contains("<code>git log 3333333333..3a3a3a3a3a</code>"))
        let headings = page.split(separator: "\n").filter { $0.hasPrefix("<h2") }
        #expect(headings.first == "<h2>Broken</h2>")
        #expect(headings.dropFirst().first?.contains("together in 8 of the 8 runs in which any flaked") == true)
        #expect(headings.last == "<h2>Other marks</h2>")
        #expect(page.contains("<b>3 needed</b> flakes; can go after 100 runs without a flake</li>"))
    }

    @Test("retries check --stale asks for the removal of each mark that has run so often without a flake")
    func stale() throws {
        try write(Sample.many)
        let stale = "not seen to flake in 120 runs (below 3.1 %): it can go: the basket is empty at first (fixable)"
        let check = ["check", "reports", "--stale"]
        #expect(
            run(check + ["100"])
                == .says("Tests/ShopTests/Basket.swift:30: \(stale)", code: 1, read: "120 reports in reports")
        )
        #expect(run(check + ["121"]).code == 0)
        #expect(run(check + ["30"]).output.split(separator: "\n").count == 2)
        try run.write(Sample.run(500, [Sample.mark("the token arrives late")]), to: "reports/newest.json")
        #expect(
            run(check + ["100"])
                == .says(
                    "none of 1 mark of the newest run has gone 100 runs without a flake; 3 marks of earlier runs were not in it",
                    read: "121 reports in reports"
                )
        )
        let most = Sample.many[119].marks?.filter { $0.line != 30 } ?? []
        try run.write(Sample.run(600, most), to: "reports/newest.json")
        #expect(run(check + ["100"]).output.contains("none of 3 marks of the newest run "))
        #expect(run(check + ["100"]).output.contains("; 1 mark of earlier runs was not in it"))
    }

    @Test("retries history names times where no commit is known, and no command where the code did not change")
    func commits() throws {
        func change(_ commit: (Int) -> String?) throws -> MarkChange {
            let reports = Sample.causes.enumerated().map { number, report in
                var report = report
                report.run?.origin.commit = commit(number)
                return report
            }
            return try #require(history(reports).lists.first { $0.title == "Changed" }?.marks.first?.change)
        }
        let unknown = try change { _ in nil }
        #expect(
            unknown.sentence.hasPrefix(
                "since the run of 2026-03-03 01:30:00 UTC it flakes in 50 % of runs, before in 2.5 %"
            )
        )
        #expect(unknown.command == nil)
        let same = try change { _ in "81bd0e2" }
        #expect(same.sentence.hasSuffix(" runs, all of 81bd0e2)"))
        #expect(same.command == nil)
        #expect(try change { "$(touch \($0))" }.command == nil)
        #expect(try change { "-\($0)abcdef" }.command == nil)
    }

    @Test("retries history shows text from tests as text, in every format", arguments: HistoryFormat.allCases)
    func hostile(format: HistoryFormat) throws {
        let text = Sample.hostileText
        let flaked = Sample.flaked(text, file: text, in: 1)
        let report = Sample.run(1, [Sample.mark(text, file: text, flakes: 1)], retries: [flaked], id: text)
        let output = String(decoding: try format.bytes(of: history([report]), hasColor: false), as: UTF8.self)
        #expect(!output.contains("\u{1B}"))
        if format == .html { #expect(!output.contains("<script>alert")) }
        if format == .text { #expect(!output.contains("\n::error")) }
        #expect(!output.contains("\n##["))
    }
}
