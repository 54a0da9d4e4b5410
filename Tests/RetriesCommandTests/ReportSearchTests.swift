import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("The reports that are read")
struct ReportSearchTests {
    private func report(_ name: String) -> Report {
        Report(run: Sample.run(name), retries: [Sample.retry("-[T \(name)]", .recovered, [.flaked, .passed])])
    }

    @Test("are the one that RETRYABLE_REPORT names, where none is named")
    func environment() throws {
        let run = try CommandRun()
        try run.write(report("asked"), to: "there/mine.json")
        try run.write(report("built"), to: ".build/debug/retryable-retries.json")
        run.environment["RETRYABLE_REPORT"] = "there/mine.json"
        let outcome = run("report")
        #expect(outcome.output.contains("-[T asked]"))
        #expect(outcome.errors == "retries: reading there/mine.json\n")
    }

    @Test("are those of the folder that RETRYABLE_REPORT names")
    func environmentFolder() throws {
        let run = try CommandRun()
        try run.write(report("asked"), to: "there/retryable-retries.json")
        run.environment["RETRYABLE_REPORT"] = "there/"
        #expect(run("report").errors == "retries: reading there/retryable-retries.json\n")
    }

    @Test("are the newest of a build folder else, by its short name")
    func newest() throws {
        let run = try CommandRun()
        try run.write(report("older"), to: ".build/release/retryable-retries.json")
        try run.write(report("newer"), to: ".build/x86_64-unknown-linux-gnu/debug/retryable-retries.json")
        try FileManager.default.createSymbolicLink(
            atPath: run.folder.appendingPathComponent(".build/debug").path,
            withDestinationPath: "x86_64-unknown-linux-gnu/debug"
        )
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)],
            ofItemAtPath: run.folder.appendingPathComponent(".build/release/retryable-retries.json").path
        )
        let outcome = run("report")
        #expect(outcome.errors == "retries: reading .build/debug/retryable-retries.json\n")
        #expect(outcome.output.contains("-[T newer]"))
        #expect(!outcome.output.contains("-[T older]"))
    }

    @Test("are missed aloud where there are none")
    func none() throws {
        let run = try CommandRun()
        let outcome = run("report")
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("retries: there is no report: RETRYABLE_REPORT is not set, and there is no "))
        try FileManager.default.createDirectory(
            at: run.folder.appendingPathComponent("empty"),
            withIntermediateDirectories: true
        )
        #expect(run("report", "empty").errors == "retries: the folder empty holds no retryable-retries.json\n")
        #expect(run("report", "empty").code == 2)
    }

    @Test("are found in a folder however deep, and no file is read twice")
    func folder() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/1/deep/retryable-retries.json")
        try run.write(report("b"), to: "shards/.2/retryable-retries.json")
        try run.write(report("c"), to: "shards/other.json")
        try FileManager.default.createSymbolicLink(
            atPath: run.folder.appendingPathComponent("shards/loop").path,
            withDestinationPath: ".."
        )
        let outcome = run("report", "shards", "shards/1/deep/retryable-retries.json", "./shards/1")
        #expect(outcome.output.contains("2 tests flaked"))
        #expect(outcome.errors.isEmpty)
    }

    @Test("may come from standard input")
    func standardInput() throws {
        let run = try CommandRun()
        run.standardInput = report("piped").json()
        let outcome = run("report", "-")
        #expect(outcome.output.contains("-[T piped]"))
        #expect(outcome.code == 0)
    }

    @Test("are answered with file, key and trouble where they cannot be read, and nothing is written")
    func unreadable() throws {
        let run = try CommandRun()
        try run.write(Array(#"{"retries":[{"name":7}]}"#.utf8), to: "wrong.json")
        try run.write(Array("{\"retries\":[".utf8), to: "torn.json")
        try run.write(Array("before".utf8), to: "out.json")
        let wrong = run("report", "wrong.json", "--output", "out.json")
        #expect(
            wrong.errors == "retries: the report wrong.json cannot be read: retries[0].name is a number, not a string\n"
        )
        #expect(wrong.code == 2)
        let torn = run("merge", "torn.json", "--output", "out.json")
        #expect(torn.errors.hasPrefix("retries: the report torn.json cannot be read: "))
        #expect(torn.errors.filter { $0 == "\n" }.count == 1)
        let missing = run("report", "missing.json")
        #expect(missing.errors == "retries: the report missing.json cannot be read: No such file or directory\n")
        #expect(try run.bytes(of: "out.json") == Array("before".utf8))
        #expect(try run.names == ["out.json", "torn.json", "wrong.json"])
    }
}
