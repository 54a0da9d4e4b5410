import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("The reports that are read")
struct ReportSearchTests {
    private func report(_ name: String) -> Report {
        let retries = [Sample.retry("-[T \(name)]", .recovered, [.flaked, .passed])]
        return Report(run: Sample.run(name), tests: retries, marks: [])
    }

    @Test(
        "without arguments, the report or the folder that RETRYABLE_REPORT names is read",
        arguments: [("there/r.json", "reading there/r.json"), ("there/", "read 1 report in there")]
    )
    func environment(place: String, errors: String) throws {
        let run = try CommandRun()
        try run.write(report("asked"), to: "there/r.json")
        try run.write(report("built"), to: ".build/retryable-retries.json")
        run.environment["RETRYABLE_REPORT"] = place
        let outcome = run("report")
        #expect(outcome.output.contains("-[T asked]"))
        #expect(outcome.errors == "retries: \(errors)\n")
    }

    @Test("a tilde that RETRYABLE_REPORT begins with is the home folder, as it is for the tests")
    func tilde() throws {
        let run = try CommandRun()
        let name = "\(UUID().uuidString).json"
        run.environment["RETRYABLE_REPORT"] = "~/\(name)"
        let places = ReportLocation.candidates(environment: run.environment, workingDirectory: run.folder)
        let place = try #require(places.first)
        #expect(!place.path.contains("~") && run("report").errors.contains(place.path))
    }

    @Test(
        "without arguments and RETRYABLE_REPORT, the package's report is read, even from a subfolder",
        arguments: ["", "Sources/Shop/Views"]
    )
    func package(subfolder: String) throws {
        let run = try CommandRun()
        try run.write([], to: "shop/Package.swift")
        try run.makeFolder("shop/\(subfolder)")
        try run.write(report("asked"), to: "shop/.build/retryable-retries.json")
        // Left by an older version, beside an executable.
        try run.write(report("older"), to: "shop/.build/debug/retryable-retries.json")
        try run.write(report("other"), to: ".build/retryable-retries.json")
        run.subfolder = subfolder.isEmpty ? "shop" : "shop/\(subfolder)"
        let outcome = run("report")
        let path = subfolder.isEmpty ? "" : "\(run.folder.path)/shop/"
        #expect(outcome.errors == "retries: reading \(path).build/retryable-retries.json\n")
        #expect(outcome.output.contains("-[T asked]"))
        #expect(!outcome.output.contains("-[T older]") && !outcome.output.contains("-[T other]"))
    }

    @Test("a missing report is an error that says where it was looked for and how to name another")
    func none() throws {
        let run = try CommandRun()
        let makes =
            "a run writes one as soon as a RetryableTestCase or a test with .retryable or .flaky runs; none if it did not compile. "
        let elsewhere =
            "Name one elsewhere, such as one of swift test --scratch-path, as a file: retries COMMAND FILE. "
        let allowed = "With --allow-missing, none is needed."
        try run.write([], to: "Package.swift")
        try run.write(report("older"), to: ".build/debug/retryable-retries.json")
        try run.makeFolder("empty")
        for (arguments, cause) in [
            ([], "there is no report .build/retryable-retries.json"), (["empty"], "the folder empty holds no report"),
            (["missing.json"], "there is no report missing.json"),
        ] {
            let advice = "\(makes)\(arguments.isEmpty ? elsewhere : "")\(allowed)"
            #expect(run(["report"] + arguments) == .refuses("\(cause): \(advice)"))
        }
    }

    @Test("where no package is, its report is not missing but unknown", arguments: [[], ["--allow-missing"]])
    func noPackage(options: [String]) throws {
        let run = try CommandRun(report("a"))
        let folder = "Package.swift in \(run.folder.path) or above"
        let problem = "\(folder), and so no report of a package: name it, retries COMMAND FILE"
        #expect(run(["check"] + options) == .refuses("there is no \(problem)"))
        run.environment["RETRYABLE_REPORT"] = "all.json"
        #expect(run(["check"] + options) == .refuses("there is no report all.json, and no \(problem)"))
        try run.write(report("a"), to: "all.json")
        #expect(run(["report"] + options).output.contains("-[T a]"))
    }

    @Test(
        "a report may be missing with --allow-missing",
        arguments: ["report", "check", "merge --output=all.json", "history", "check --stale 9"]
    )
    func allowedToBeMissing(command: String) throws {
        let run = try CommandRun(report("a"))
        try run.makeFolder("empty")
        try run.write([], to: "Package.swift")
        let command = command.split(separator: " ").map(String.init)
        // A report that is there is read, too.
        let some = run("report", "missing.json", "r.json", "--allow-missing")
        #expect(some.output.contains("-[T a]"))
        #expect(some.errors == "retries: there is no report missing.json, which --allow-missing allows\n")
        for files in [["empty"], ["missing"]] + (command == ["report"] || command == ["check"] ? [[]] : []) {
            let refusal = run(command + files)
            #expect(refusal.code == 2)
            let reasons = ["there is no report ", "the folder empty holds no report"]
            #expect(reasons.contains { refusal.errors.hasPrefix("retries: \($0)") })
            let outcome = run(command + files + ["--allow-missing"])
            #expect(outcome.code == 0)
            #expect(outcome.errors.hasSuffix(", which --allow-missing allows\n"))
        }
    }

    @Test("what has a report's name in a folder and is none ends a check and a merge")
    func calledReport() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/1/retryable-retries.json")
        for other in ["<html>", "{\"message\": \"Not Found\"}", "[]", "\0\0\0"] {
            try run.write(Array(other.utf8), to: "shards/2/retryable-retries.json")
            #expect(run("check", "shards", "--max-flaky=3").code == 2)
            #expect(run("merge", "shards").code == 2)
        }
    }

    @Test("a folder's reports may have any name, and other JSON among them is passed over")
    func anyName() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/1/one.json")
        try run.write(report("b"), to: "shards/checkouts/deep.json/two.json")
        try run.write(report("c"), to: "shards/three")
        try run.write(Self.others, to: "shards")
        try run.write(["workspace-state.json": "{}", "checkouts/Other/Tests/torn.json": "{"], to: "shards/Shop/.build")
        #expect(run("report", "shards").output.contains("3 flaky"))
        #expect(run("report", "shards").errors == "retries: read 3 reports in shards\n")
        #expect(run("check", "shards", "--max-flaky=2").code == 1)
        #expect(run("check", "shards", "--max-flaky=3").code == 0)
    }

    /// Files that are no reports, as they stand beside some.
    private static let others = [
        "Package.json": "{}", "config.json": #"{"retry": {"retries": 3}}"#, "list.json": "[1, 2]",
        "events.json": "{\"kind\":\"event\"}\n{\"kind\":\"event\"}\n", "notes.txt": "7", "script": "{ 7 }", "lock": "",
    ]

    @Test("a folder in which all JSON is of other kinds holds no report")
    func onlyOthers() throws {
        let run = try CommandRun()
        try run.write(Self.others, to: "shards")
        for command in [["report"], ["check"], ["merge", "--output=all.json"], ["history"]] {
            let outcome = run(command + ["shards"])
            #expect(outcome.code == 2)
            #expect(outcome.errors.hasPrefix("retries: the folder shards holds no report: "))
            #expect(run(command + ["shards", "--allow-missing"]).code == 0)
        }
    }

    /// Reports that were cut off, or that hold what no report does.
    private static let torn = [
        "1/r.json": "", "1/r": "{\n  \"marks\": [\n    {\"fi", "r": "{\n  \"retries\": [",
        "r.json": "{\"retries\":[{\"na", "start": "{\n  \"ma", "odd.json": #"{"run": {}, "retries": 7}"#,
        "page.json": "<html>404</html>", "zeros.json": String(repeating: "\0", count: 99),
        "end.json": "\"retries\": []}", "keys.json": "{\"run\": {\"id\": \"1\"},\n\"retries\": [",
    ]

    @Test("a folder's report that cannot be read ends a check and a merge with code 2", arguments: torn.keys)
    func tornShard(name: String) throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/whole.json")
        try run.write([name: Self.torn[name] ?? ""], to: "shards")
        for command in [["check", "--max-flaky=9"], ["merge", "--output=all.json"]] {
            let outcome = run(command + ["shards", "--allow-missing"])
            #expect(outcome.code == 2)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("retries: the report shards/\(name) cannot be read: "))
        }
        let compared = run("check", "shards/whole.json", "--baseline", "shards", "--allow-missing")
        #expect(compared.code == 2)
        #expect(compared.errors.hasPrefix("retries: the report shards/\(name) cannot be read: "))
        #expect(try !run.names.contains("all.json"))
    }

    @Test("a folder that is a link is searched as the folder itself")
    func linkedFolder() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "build-7/1/retryable-retries.json")
        try run.link("latest", to: "build-7")
        let outcome = run("check", "latest", "--allow-missing")
        #expect(outcome.code == 1)
        #expect(outcome.errors == "retries: read 1 report in latest\n")
    }

    @Test("a folder that is linked in another is searched, too")
    func linkedShard() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "build-7/1/retryable-retries.json")
        try run.write(report("b"), to: "shards/b.json")
        try run.link("shards/a", to: "../build-7")
        try run.link("build-7/back", to: "../shards")
        let outcome = run("check", "shards", "--max-flaky=1")
        #expect(outcome.code == 1)
        #expect(outcome.errors == "retries: read 2 reports in shards\n")
    }

    @Test("a report in a folder that is a link to nothing ends a check and a merge with code 2")
    func lostShard() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/whole.json")
        try run.write(report("a"), to: "shards/2/other.json")
        try run.link("shards/2/retryable-retries.json", to: "nowhere")
        for command in [["check", "--max-flaky=9"], ["merge", "--output=all.json"]] {
            let outcome = run(command + ["shards"])
            #expect(outcome.code == 2)
            let lost = "shards/2/retryable-retries.json cannot be read: No such file or directory"
            #expect(outcome.errors == "retries: the report \(lost)\n")
        }
    }

    @Test("a folder's report that cannot be read is left out, with a line, where many runs are shown")
    func tornRun() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "runs/whole.json")
        try run.write(report("b"), to: "now.json")
        try run.write(Self.torn, to: "runs")
        for command in [["report"], ["history"], ["check", "--stale=9"], ["check", "now.json", "--changed"]] {
            let outcome = run(command + ["runs"])
            #expect(outcome.code == 0)
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == Self.torn.count + 1)
            for name in Self.torn.keys {
                #expect(lines.contains { $0.hasPrefix("retries: left out runs/\(name), which cannot be read: ") })
            }
            #expect(lines.last == "retries: read 1 report in runs")
        }
        try FileManager.default.removeItem(at: run.folder.appendingPathComponent("runs/whole.json"))
        let none = run("report", "runs", "--allow-missing")
        #expect(none.code == 2)
        #expect(none.errors.hasSuffix("retries: the folder runs holds no report that can be read\n"))
    }

    @Test("a folder's reports do not include what the command wrote there, nor a half-written file")
    func ownOutput() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/one.json")
        for _ in 1...2 { #expect(run("merge", "shards", "--output", "shards/all.json").code == 0) }
        #expect(try Report(json: run.bytes(of: "shards/all.json")).tests.count == 1)
        let outcome = run("merge", "shards", "--output", "./shards/../shards/all.json")
        #expect(outcome.errors.hasPrefix("retries: left out shards/all.json, which is the output\n"))
        try run.write(report("a"), to: "others/one.json")
        try run.write(report("a"), to: "others/one.json.77.new")
        #expect(run("report", "others").errors == "retries: read 1 report in others\n")
    }

    @Test(
        "a report of a run older than --max-age is refused",
        arguments: ["report", "check", "merge --output=all.json"]
    )
    func old(command: String) throws {
        let run = try CommandRun(report("old"))
        let command = command.split(separator: " ").map(String.init) + ["r.json"]
        #expect(run(command + ["--max-age", "1m"]).code != 2)
        run.now += 1
        #expect(
            run(command + ["--max-age", "1m"])
                == .refuses(
                    "the report r.json is of another run, which ended 2026-03-01 09:30:04 UTC, 1 min ago, "
                        + "and --max-age is 1 min: did the tests run?"
                )
        )
        #expect(run(command + ["--max-age=1m1s"]).code != 2)
        run.now -= 3600
        #expect(run(command + ["--max-age=1m"]).code == 2, "a run of the future is another one, too")
    }

    @Test("a report without times is refused with --max-age, and one of a run that died is as old as its last record")
    func ageless() throws {
        let run = try CommandRun(Report())
        #expect(run("check", "r.json").code == 0)
        let refusal = "the report r.json does not say when its run was, so --max-age refuses it"
        #expect(run("check", "r.json", "--max-age=1d") == .refuses(refusal))
        var died = report("died")
        died.run?.finishedAt = nil
        died.tests[0].attempts[1].startedAt = Sample.start + 60
        try run.write(died, to: "r.json")
        run.now = Sample.start + 70
        #expect(run("report", "r.json", "--max-age=30s").code == 0)
        #expect(run("report", "r.json", "--max-age=5s").code == 2)
    }

    @Test("a folder's reports are found at any depth, and no file is read twice")
    func folder() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/1/deep/retryable-retries.json")
        try run.write(report("b"), to: "shards/.2/retryable-retries.json")
        try run.link("shards/loop", to: "..")
        let outcome = run("report", "shards", "shards/1/deep/retryable-retries.json", "./shards/1")
        #expect(outcome.output.contains("2 flaky"))
        #expect(outcome.errors == "retries: read 2 reports in shards\nretries: read 0 reports in ./shards/1\n")
    }

    @Test("what is called like a report and is no file is named, and a check that cannot read it ends with 2")
    func noFiles() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/one.json")
        #expect(mkfifo(run.folder.appendingPathComponent("shards/pipe.json").path, 0o600) == 0)
        let end = "retries: left out shards/pipe.json, which is no file\nretries: read 1 report in shards\n"
        #expect(run("report", "shards").errors == end)
        #if os(Linux)  // Apple's file systems refuse such a name.
            let name = run.folder.appendingPathComponent("shards/a").path.utf8CString.dropLast() + [-1, 0]
            #expect(mkdir(Array(name), 0o700) == 0)
            let line = "retries: left out shards/a\u{FFFD}, whose name is not UTF-8"
            #expect(run("report", "shards").errors.contains(line))
            #expect(rmdir(Array(name)) == 0)
        #endif
        for (name, target) in [("gone.json", "nowhere"), ("loop.json", "loop.json")] {
            try run.link("shards/\(name)", to: target)
            let outcome = run("report", "shards")
            #expect(outcome.code == 0)
            #expect(outcome.errors.contains("retries: left out shards/\(name), which cannot be read: "))
            #expect(run("check", "shards", "--max-flaky=9").code == 2)
        }
    }

    @Test("a report that cannot be looked for is not taken for missing")
    func outOfReach() throws {
        let run = try CommandRun()
        try run.link("loop", to: "loop")
        let outcome = run("check", "loop/r.json", "--allow-missing")
        let cause = String(cString: strerror(ELOOP))
        #expect(outcome == .refuses("the report loop/r.json cannot be read: \(cause)"))
    }

    @Test("a report may come from standard input")
    func standardInput() throws {
        let run = try CommandRun()
        run.standardInput = try report("piped").json()
        let outcome = run("report", "-")
        #expect(outcome.output.contains("-[T piped]"))
        #expect(outcome.code == 0)
    }

    @Test("a report that cannot be read causes an error with file, key and cause, and nothing is written")
    func unreadable() throws {
        let run = try CommandRun()
        try run.write(Array(#"{"retries":[{"name":7}]}"#.utf8), to: "wrong.json")
        try run.write(Array("{\"retries\":[".utf8), to: "torn.json")
        try run.write(Array("before".utf8), to: "out.json")
        let refusal = "the report wrong.json cannot be read: retries[0].name is not a string"
        #expect(run("report", "wrong.json", "--output", "out.json") == .refuses(refusal))
        let torn = run("merge", "torn.json", "--output", "out.json")
        #expect(torn.errors.hasPrefix("retries: the report torn.json cannot be read: "))
        #expect(torn.errors.filter { $0 == "\n" }.count == 1)
        #expect(run("check", "torn.json", "--allow-missing").code == 2)
        #expect(try run.bytes(of: "out.json") == Array("before".utf8))
        #expect(try run.names == ["out.json", "torn.json", "wrong.json"])
    }
}
