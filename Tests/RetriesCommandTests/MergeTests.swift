import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("Several reports as one")
struct MergeTests {
    private func shard(_ id: String, _ retries: [FlakyTest], steps: [Step] = []) -> Report {
        Report(run: Sample.run(id), retries: retries, steps: steps)
    }

    private func merged(_ reports: Report...) -> Report {
        Report(merging: reports)
    }

    @Test("keep tests of one name in two modules apart, sorted by name, module and run")
    func modules() {
        var first = Sample.retry("-[A a]", .recovered, [.flaked, .passed])
        first.module = "Z"
        var second = first
        second.module = "B"
        let third = Sample.retry("-[0 a]", .recovered, [.flaked, .passed])
        let report = merged(shard("1", [first, third]), shard("2", [second]))
        #expect(report.retries.map(\.module) == ["ShopTests", "B", "Z"])
    }

    @Test("are one run from the first start to the last end, and none that died is hidden")
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

    @Test("can be merged again, and each record still has the run it came from, each step is kept")
    func again() {
        let retry = Sample.retry("-[A a]", .recovered, [.flaked, .passed])
        let step = Sample.step("sign in", succeeded: true)
        let first = merged(shard("one", [retry], steps: [step]), shard("two", [retry], steps: [step]))
        let report = merged(first, shard("three", [retry]))
        #expect(report.steps == [step, step])
        #expect(report.retries.map(\.run) == ["one", "three", "two"])
        #expect(report.retries.map(\.name) == ["-[A a]", "-[A a]", "-[A a]"])
    }

    @Test("are written in one piece, over one of them too")
    func output() throws {
        let run = try CommandRun()
        try run.write(shard("1", [Sample.retry("-[A a]", .recovered, [.flaked, .passed])]), to: "1.json")
        try run.write(shard("2", [Sample.retry("-[A a]", .failed, [.flaked, .failed])]), to: "2.json")
        #expect(run("merge", "1.json", "2.json", "--output", "1.json") == CommandRun.Outcome())
        let merged = try Report(json: run.bytes(of: "1.json"))
        #expect(merged.retries.map(\.run) == ["1", "2"])
        #expect(merged.retries.map(\.shard) == ["1.json", "2.json"])
        #expect(run("report", "1.json").output.contains("\n         run: 2.json\n"))
        #expect(try run.names == ["1.json", "2.json"])
    }

    @Test("are refused in one line where they cannot be written")
    func unwritable() throws {
        let run = try CommandRun()
        try run.write(Sample.empty, to: "1.json")
        let refusal = "the output missing/all.json cannot be written: No such file or directory"
        #expect(run("merge", "1.json", "--output", "missing/all.json") == .refuses(refusal))
        #expect(run("merge", "1.json", "--output", ".").errors.contains("Is a directory"))
        #expect(try run.names == ["1.json"])
    }

    @Test("go through a link to the file behind it")
    func link() throws {
        let run = try CommandRun()
        try run.write(Sample.mixed, to: "1.json")
        try run.write(Array("old".utf8), to: "real.json")
        try run.link("link.json", to: "real.json")
        #expect(run("merge", "1.json", "--output", "link.json").code == 0)
        #expect(try Report(json: run.bytes(of: "real.json")) == Sample.mixed)
    }
}
