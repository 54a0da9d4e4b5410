import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("Several reports as one")
struct MergeTests {
    private func shard(_ id: String, _ retries: [TestRecord], steps: [Step] = []) -> Report {
        Report(run: Sample.run(id), tests: retries, steps: steps)
    }

    private func merged(_ reports: Report...) -> Report {
        Report(merging: reports)
    }

    @Test("a merged report keeps tests of one name in two modules apart, sorted by name, module and run")
    func modules() {
        var first = Sample.retry("-[A a]", .recovered, [.flaked, .passed])
        first.module = "Z"
        var second = first
        second.module = "B"
        let third = Sample.retry("-[0 a]", .recovered, [.flaked, .passed])
        let report = merged(shard("1", [first, third]), shard("2", [second]))
        #expect(report.tests.map(\.module) == ["ShopTests", "B", "Z"])
    }

    @Test("in a merged report of packages in several folders, paths are from the root of the repository")
    func folders() {
        let reports = ["Shop", "Pay"].map { folder in
            var report = shard(folder, [Sample.retry("-[A a]", .recovered, [.flaked, .passed])])
            report.marks = [MarkCount(.fixable(reason: "late"), file: "Tests/A.swift", line: 3, module: "A")]
            report.run?.origin.folder = folder
            report.run?.origin.sources = "https://github.com/o/r/blob/abc/\(folder)"
            return report
        }
        let report = Report(merging: reports)
        let again = Report(merging: [reports[0], report])
        for report in [report, again] {
            #expect(report.run?.origin.folder == "")
            #expect(report.run?.origin.sources == "https://github.com/o/r/blob/abc")
            let files = ["Pay/Tests/ShopTests/Shop.swift", "Shop/Tests/ShopTests/Shop.swift"]
            #expect(Set(report.tests.map(\.file)) == Set(files))
            #expect(report.marks?.map(\.file) == ["Pay/Tests/A.swift", "Shop/Tests/A.swift"])
            let failures = report.tests.flatMap { $0.attempts.flatMap(\.failures) }
            #expect(Set(failures.compactMap(\.file)) == Set(files))
        }
        let same = Report(merging: [reports[0], reports[0]])
        #expect(same.run?.origin.folder == "Shop")
        #expect(same.tests.map(\.file) == Array(repeating: "Tests/ShopTests/Shop.swift", count: 2))
    }

    @Test("a merged report of merged ones names the runs of all")
    func nested() {
        let (first, second) = (merged(shard("1", []), shard("2", [])), merged(shard("3", []), shard("4", [])))
        let run = merged(first, second).run
        #expect(run?.id == "merged-1+2+3+4" && run?.parts.identities == ["1", "2", "3", "4"])
        #expect(merged(first, first).run?.id == "merged-1+2")
    }

    @Test("a merged report is one run from the first start to the last end, and hides no process that died")
    func run() {
        var late = shard("late", [])
        late.run?.startedAt = Sample.start + 60
        late.run?.finishedAt = Sample.start + 90
        late.run?.mode = "strict"
        let report = merged(late, shard("early", []))
        #expect(report.run?.startedAt == Sample.start)
        #expect(report.run?.finishedAt == Sample.start + 90)
        #expect(report.run?.mode == "mixed")
        #expect(report.run?.id.hasPrefix("merged-") == true)
        #expect(report.run?.id == merged(shard("early", []), late).run?.id)
        late.run?.finishedAt = nil
        #expect(merged(late, shard("early", [])).run?.finishedAt == nil)
    }

    @Test("a merged report has the commit and the dates of the newest part, however the parts were merged")
    func newest() {
        let parts = [1, 3, 2].map { day in
            var (part, mark) = (shard("\(day)", []), Sample.mark("late"))
            part.run?.startedAt = Sample.start + 1000 * Double(day)
            part.run?.finishedAt = Sample.start + 1000 * Double(day) + 60
            part.run?.origin.commit = "\(day)"
            mark.mark.until = "2026-01-0\(day)"
            part.marks = [mark]
            return part
        }
        for report in [Report(merging: parts), merged(merged(parts[0], parts[1]), parts[2])] {
            #expect(report.run?.origin.commit == "3")
            #expect(report.marks?.map(\.mark.until) == ["2026-01-03"])
        }
    }

    @Test("a merged report can be merged again, and keeps all steps and the run of each record")
    func again() {
        let retry = Sample.retry("-[A a]", .recovered, [.flaked, .passed])
        let step = Sample.step("sign in", succeeded: true)
        let first = merged(shard("one", [retry], steps: [step]), shard("two", [retry], steps: [step]))
        let report = merged(first, shard("three", [retry]))
        #expect(report.steps == [step, step])
        #expect(report.tests.map(\.run) == ["one", "three", "two"])
        #expect(report.tests.map(\.name) == ["-[A a]", "-[A a]", "-[A a]"])
    }

    @Test("a merged report is written in one piece, even over one of its sources")
    func output() throws {
        let run = try CommandRun()
        try run.write(shard("1", [Sample.retry("-[A a]", .recovered, [.flaked, .passed])]), to: "1.json")
        try run.write(shard("2", [Sample.retry("-[A a]", .failed, [.flaked, .failed])]), to: "2.json")
        #expect(run("merge", "1.json", "2.json", "--output", "1.json") == CommandRun.Outcome())
        let merged = try Report(json: run.bytes(of: "1.json"))
        #expect(merged.tests.map(\.run) == ["1", "2"])
        #expect(merged.tests.map(\.shard) == ["1.json", "2.json"])
        #expect(run("report", "1.json").output.contains("\n         run: 2.json\n"))
        #expect(try run.names == ["1.json", "2.json"])
    }

    @Test("a merged report that cannot be written causes an error of one line")
    func unwritable() throws {
        let run = try CommandRun()
        try run.write(Sample.empty, to: "1.json")
        let refusal = "the output 1.json/all.json cannot be written: File exists"
        #expect(run("merge", "1.json", "--output", "1.json/all.json") == .refuses(refusal))
        #expect(run("merge", "1.json", "--output", ".").errors.contains("Is a directory"))
        #expect(try run.names == ["1.json"])
    }

    @Test("the folder of the output is made, as for the first report of a history")
    func folderOfOutput() throws {
        let run = try CommandRun()
        try run.write(Sample.mixed, to: "1.json")
        #expect(run("merge", "1.json", "--output", "flakes/main/1.json").code == 0)
        #expect(try Report(json: run.bytes(of: "flakes/main/1.json")) == Sample.mixed)
    }

    @Test("a merged report is written to the file behind a link")
    func link() throws {
        let run = try CommandRun()
        try run.write(Sample.mixed, to: "1.json")
        try run.write(Array("old".utf8), to: "real.json")
        try run.link("link.json", to: "real.json")
        #expect(run("merge", "1.json", "--output", "link.json").code == 0)
        #expect(try Report(json: run.bytes(of: "real.json")) == Sample.mixed)
    }

    @Test("what is merged from no report has no mark, and can be checked as that")
    func nothing() throws {
        let run = try CommandRun()
        try run.makeFolder("empty")
        #expect(run("merge", "empty", "--output", "all.json", "--allow-missing").code == 0)
        #expect(run("check", "all.json", "--overdue").code == 0)
        let refusal = "--changed needs a report of a run; this one was merged from no report"
        #expect(run("check", "all.json", "--changed", "flakes") == .refuses(refusal))
        let accepted = run("check", "all.json", "--changed", "flakes", "--max-age", "1h", "--allow-missing")
        #expect(accepted.code == 0, "\(accepted)")
        #expect(accepted.errors.contains("the report was merged from no report, which --allow-missing allows"))
        #expect(run("history", "all.json").errors.contains("left out all.json, which was merged from no report"))
        try run.write(Sample.run(1, [Sample.mark("late", flakes: 0)]), to: "now.json")
        let checked = run("check", "now.json", "--changed", "all.json")
        #expect(checked.code == 0, "\(checked)")
    }
}
