import Foundation
import Groundwork
import RetryReport
import TestSupport
import Testing

@Suite("The report's file")
final class ReportFileTests: FolderTests {
    @Test("the report's file stands, whole and empty, before the first test")
    func opened() throws {
        _ = try openFile()
        #expect(try report.tests.isEmpty)
        #expect(try String(contentsOf: folder.report, encoding: .utf8).contains("\n  \"schemaVersion\": 1"))
        #expect(try report.run?.id == "one")
        #expect(try report.run?.unfinished == 1)
        #expect(try report.run?.finishedAt == nil)
        #expect(try folder.names == TemporaryFolder.reportAndLock)
    }

    @Test(
        "the report's file has every test as soon as it is queued, sorted once it is closed, and nothing lies beside it"
    )
    func updates() throws {
        let file = try openFile()
        let names = (0..<40).map { "-[Tests test\(($0 * 17) % 40 + 10)]" }
        for (index, name) in names.enumerated() {
            try file.update(.queued(name))
            #expect(try Set(report.tests.map(\.name)) == Set(names[...index]))
        }
        try file.close()
        #expect(try report.tests.map(\.name) == names.sorted())
        #expect(try report.tests.map(\.withoutProcess) == names.sorted().map { .queued($0) })
        #expect(try report.run?.finishedAt != nil)
        #expect(try report.run?.unfinished == 0)
        #expect(try folder.names == TemporaryFolder.reportAndLock)
    }

    @Test(
        "the report's file stays whole for a reader that opened it, or gave it a second name, before more was written",
        arguments: [1, 2, 3]
    )
    func slowReader(updatesBefore: Int) throws {
        let file = try openFile()
        for index in 0..<updatesBefore { try file.update(.queued("early \(index)")) }
        let copy = folder.file("copy.json")
        try FileManager.default.linkItem(at: folder.report, to: copy)
        let before = try Data(contentsOf: copy)
        let reader = try FileHandle(forReadingFrom: folder.report)
        let opening = try #require(try reader.read(upToCount: 10))
        for index in 0..<5 { try file.update(.queued("late \(index)")) }
        let rest = try #require(try reader.readToEnd())
        #expect(opening + rest == before)
        #expect(try Data(contentsOf: copy) == before)
        #expect(try report.tests.count == updatesBefore + 5)
    }

    @Test(
        "the report's file has two records for two tests of one name in two modules, and one for each that is updated"
    )
    func modules() throws {
        let file = try openFile()
        for module in ["B", "A", nil] { try file.update(.queued("-[T t]", module: module)) }
        try file.update(.queued("-[T t]", module: "A").recovered)
        try file.update(.queued("-[T t]", module: "B").recovered)
        try file.close()
        #expect(try report.tests.map(\.module) == [nil, "A", "B"])
        #expect(try report.tests.map(\.outcome) == [.pending, .recovered, .recovered])
    }

    @Test("the report's file has both records of two processes that record the same test, however often they write")
    func sameTest() throws {
        let (first, second) = try twoFiles()
        let test = TestRecord.queued("-[T t]")
        try first.update(test)
        try second.update(test)
        try first.update(test.recovered)
        try second.update(.queued("-[T u]"))
        try first.close()
        try second.close()
        let retries = try report.tests
        #expect(retries.map(\.process) == ["1-1", "2-2", "2-2"])
        #expect(retries.map(\.withoutProcess) == [test.recovered, test, .queued("-[T u]")])
    }

    @Test("the report's file has each step once, however often others write in between")
    func steps() throws {
        let (first, second) = try twoFiles()
        let step = Step.sample("tap", test: "-[T t]")
        for _ in 0..<3 {
            try first.add(step)
            try first.update(.queued("first"))
            try second.add(step)
            try second.update(.queued("second"))
        }
        let steps = try report.steps
        #expect(steps.map(\.process) == ["1-1", "1-1", "1-1", "2-2", "2-2", "2-2"])
        #expect(steps.map(\.withoutProcess) == Array(repeating: step, count: 6))
    }

    @Test("the report's file has ended when all its processes have; if one died, it never has")
    func finished() throws {
        func expect(unfinished: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let run = try #require(try report.run)
            #expect(run.unfinished == unfinished, sourceLocation: sourceLocation)
            #expect((run.finishedAt != nil) == (unfinished == 0), sourceLocation: sourceLocation)
        }
        let (first, second) = try twoFiles()
        try expect(unfinished: 2)
        try first.close()
        try expect(unfinished: 1)
        try second.close()
        try expect(unfinished: 0)
        try first.update(.queued("more"))
        try expect(unfinished: 1)
        try first.close()
        try expect(unfinished: 0)

        _ = try openFile()  // and never closes it
        try openFile().close()
        try expect(unfinished: 1)
        #expect(try report.run?.startedAt == .morning)
    }

    @Test("the report's file stays ended if a write that was due before the end comes after it")
    func lateWrite() throws {
        let file = try openFile()
        file.put(.queued("a"))
        try file.close()
        try file.write(isLate: true)
        #expect(try report.run?.finishedAt != nil)
        file.put(.queued("b"))
        try file.write()
        #expect(try report.run?.finishedAt == nil)
    }

    @Test("the report's file has nothing of another run that ended, or died, before, and all that was there of its own")
    func otherRun() throws {
        let old = try openFile("old")
        try old.update(.queued("old"))
        try old.close()
        let new = try openFile("new") { Issue.record("\($0)") }
        #expect(try report.tests.isEmpty)
        try new.update(.queued("new"))
        _ = try openFile("new")  // and never closes it
        #expect(try report.tests.map(\.name) == ["new"])
        try openFile("next") { Issue.record("\($0)") }.close()
    }

    @Test("the report's file does not mix with another report in the same folder")
    func twoReports() throws {
        let files = ["a.json", "b.json"].map { ($0, ReportFile(url: folder.file($0), run: .sample())) }
        for (_, file) in files { try file.open() }
        for index in 0..<4 {
            for (name, file) in files { try file.update(.queued("\(name) \(index)")) }
        }
        for (name, file) in files {
            #expect(try Report(contentsOf: folder.file(name)).tests.map(\.name) == (0..<4).map { "\(name) \($0)" })
            try file.close()
        }
        #expect(try folder.names == [".a.json.lock", ".b.json.lock", "a.json", "b.json"])
    }

    @Test("the report's file has what several threads write")
    func threads() throws {
        let file = try openFile()
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            #expect(throws: Never.self) { try file.update(.queued("test \(index)")) }
        }
        #expect(try report.tests.count == 64)
    }

    @Test("the report's file passes on what other processes wrote as it stands, with keys that it does not know")
    func lineOfAnother() throws {
        try openFile(process: "1-1").update(.queued("b"))
        let theirs = #"{"attemptedRetries":0,"name":"b","owner":"me","process":"1-1","fixable":true}"#
        let lines = try lines.map { $0.hasPrefix("    {") ? "    \(theirs)" : "\($0)" }
        try Data("\(lines.joined(separator: "\n"))\n".utf8).write(to: folder.report)
        let own = try openFile(process: "2-2")
        for name in ["a", "c"] { try own.update(.queued(name)) }
        let records = try self.lines.filter { $0.hasPrefix("    {") }
        #expect(records.count == 3)
        #expect(records[1] == "    \(theirs),")
    }

    private var lines: [Substring] {
        get throws { try String(contentsOf: folder.report, encoding: .utf8).split(separator: "\n") }
    }

    @Test("the report's file takes over its own run's report however somebody has laid it out since")
    func otherLayout() throws {
        try openFile(process: "1-1").update(.queued("theirs"))
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.report))
        try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted).write(to: folder.report)
        try openFile(process: "2-2").update(.queued("own"))
        #expect(try report.tests.map(\.process) == ["2-2", "1-1"])
        #expect(try report.run?.unfinished == 2)
    }

    @Test(
        "the report's file says so if another run replaces it while this one goes on, once, and how to have two reports or one run"
    )
    func replacedByAnotherRun() throws {
        let warnings = Locked<[String]>([])
        let file = try openFile { warning in warnings.withLock { $0.append(warning) } }
        try file.update(.queued("t"))
        for _ in 0..<2 {
            _ = try openFile("two", process: "2-2")
            try file.update(.queued("t").recovered)
            try file.write()
        }
        let said = warnings.withLock { $0 }
        #expect(said.count == 1)
        #expect(said.first?.contains(folder.report.path) == true)
        #expect(said.first?.contains("RETRYABLE_RUN_ID") == true)
        #expect(try report.run?.id == "one")
        #expect(try report.tests.map(\.outcome) == [.recovered])
    }

    @Test(
        "the report's file says if it replaces the flakes of another run of its CI job, and of no other",
        arguments: [("job/1", "job/1", 1), ("job/1", "job/2", 0), (nil, nil, 0)]
    )
    func replacesOwnJob(before: String?, now: String?, count: Int) throws {
        let warnings = Locked<[String]>([])
        for (id, job) in [("one", before), ("two", now)] {
            var run = Report.Run.sample(id)
            run.origin.job = job
            let file = ReportFile(url: folder.report, run: run) { warning in warnings.withLock { $0.append(warning) } }
            try file.open()
            try file.update(.queued("t"))
        }
        let loss = "which had 1 retried test of an earlier run in this CI job"
        let line = "replaced the report \(folder.report.path), \(loss); "
        let advice = "runs with one RETRYABLE_RUN_ID share a report"
        #expect(warnings.withLock { $0 } == [String](repeating: line + advice, count: count))
    }

    @Test(
        "the report's file does not end before its start, though a clock was set back, and lasts no less than no time"
    )
    func clockSetBack() throws {
        let later = Date(timeIntervalSinceNow: 3600)
        let file = ReportFile(url: folder.report, run: Report.Run(id: "r", startedAt: later))
        try file.open()
        var retry = TestRecord.queued("t")
        retry.attempts[0].duration = -3600
        try file.update(retry)
        try file.close()
        let run = try #require(try report.run)
        #expect(run.finishedAt == run.startedAt)
        #expect(try report.tests.first?.attempts.first?.duration == 0)
    }

    /// Opens one report for two processes.
    private func twoFiles() throws -> (ReportFile, ReportFile) {
        (try openFile(process: "1-1"), try openFile(process: "2-2"))
    }
}

extension FolderTests {
    /// The report in the test's folder.
    var report: Report {
        get throws { try Report(contentsOf: folder.report) }
    }

    /// Opens the report of a run.
    func openFile(
        _ run: String = "one",
        process: String = RunIdentity.process,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> ReportFile {
        let file = ReportFile(url: folder.report, run: .sample(run), process: process, warn: warn)
        try file.open()
        return file
    }
}

extension ReportFile {
    /// Puts a record and writes it, as every process does.
    func update(_ retry: TestRecord) throws {
        put(retry)
        try write()
    }

    func add(_ step: Step) throws {
        put(step)
        try write()
    }
}

extension TestRecord {
    var withoutProcess: TestRecord {
        var retry = self
        retry.process = nil
        return retry
    }
}

extension Step {
    var withoutProcess: Step {
        var step = self
        step.process = nil
        return step
    }
}

extension TemporaryFolder {
    /// The names in a folder that holds a report and nothing else.
    static let reportAndLock = [".\(ReportLocation.fileName).lock", ReportLocation.fileName]
}
