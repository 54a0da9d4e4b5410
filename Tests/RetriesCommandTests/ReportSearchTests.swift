import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("The reports that are read")
struct ReportSearchTests {
    private func report(_ name: String) -> Report {
        let retries = [Sample.retry("-[T \(name)]", .recovered, [.flaked, .passed])]
        return Report(run: Sample.run(name), retries: retries, marks: [])
    }

    @Test(
        "are the one that RETRYABLE_REPORT names, or those of the folder that it names, where none is named",
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

    @Test("are the package's else, also from its subfolders", arguments: ["", "Sources/Shop/Views"])
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

    @Test("are missed aloud where there are none, with the place that was looked at and the way to name another")
    func none() throws {
        let run = try CommandRun()
        let makes =
            "a run writes one as soon as a RetryableTestCase or a test with .retryable or .flaky runs; none if it did not compile. "
        let elsewhere =
            "Name one elsewhere, such as one of swift test --scratch-path, as a file: retries COMMAND FILE. "
        let allowed = "With --allow-missing, none is needed."
        let noPackage = "there is no Package.swift in \(run.folder.path) or above, and so no report of a package"
        #expect(run("report") == .refuses("\(noPackage): \(makes)\(elsewhere)\(allowed)"))
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

    @Test(
        "may be missing where --allow-missing says so",
        arguments: [
            "report", "check", "merge --output=all.json", "history", "check --stale 9", "check r.json --changed",
        ]
    )
    func allowedToBeMissing(command: String) throws {
        let run = try CommandRun(report("a"))
        try run.makeFolder("empty")
        let command = command.split(separator: " ").map(String.init)
        // A report that is there is read, too.
        let some = run("report", "missing.json", "r.json", "--allow-missing")
        #expect(some.output.contains("-[T a]"))
        #expect(some.errors == "retries: there is no report missing.json, which --allow-missing allows\n")
        for files in [["empty"], ["missing"]] + (command == ["report"] || command == ["check"] ? [[]] : []) {
            let refusal = run(command + files)
            #expect(refusal.code == 2)
            let reasons = ["there is no report ", "there is no Package.swift ", "the folder empty holds no report"]
            #expect(reasons.contains { refusal.errors.hasPrefix("retries: \($0)") })
            let outcome = run(command + files + ["--allow-missing"])
            #expect(outcome.code == 0)
            #expect(outcome.errors.hasSuffix(", which --allow-missing allows\n"))
        }
    }

    @Test("of a folder are those of every name, and what looks like one and is none is named with the reason")
    func anyName() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/1/one.json")
        try run.write(report("b"), to: "shards/2/deep.json/two.json")
        try run.write(Array("{}".utf8), to: "shards/Package.json")
        try run.write(Array("{\"retries\": [".utf8), to: "shards/1/torn.json")
        try run.write(report("c"), to: "shards/three")
        try run.write(Array("{ 7 }".utf8), to: "shards/torn")
        try run.write(Array("7".utf8), to: "shards/notes.txt")
        let outcome = run("report", "shards")
        #expect(outcome.output.contains("3 flaky"))
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        try #require(lines.count == 4)
        #expect(lines[0].hasPrefix("retries: left out shards/1/torn.json, which cannot be read: "))
        #expect(lines[1].hasPrefix("retries: left out shards/Package.json, which cannot be read: "))
        #expect(lines[1].contains("retries"))
        #expect(lines[2].hasPrefix("retries: left out shards/torn, which cannot be read: "))
        #expect(lines[3] == "retries: read 3 reports in shards")
        #expect(run("check", "shards", "--max-flaky=2").code == 1)
    }

    @Test("of a folder do not include what the command wrote there before, nor what was being written")
    func ownOutput() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/one.json")
        for _ in 1...2 { #expect(run("merge", "shards", "--output", "shards/all.json").code == 0) }
        #expect(try Report(json: run.bytes(of: "shards/all.json")).retries.count == 1)
        let outcome = run("merge", "shards", "--output", "./shards/../shards/all.json")
        #expect(outcome.errors.hasPrefix("retries: left out shards/all.json, which is the output\n"))
        try run.write(report("a"), to: "others/one.json")
        try run.write(report("a"), to: "others/one.json.77.new")
        #expect(run("report", "others").errors == "retries: read 1 report in others\n")
    }

    @Test(
        "are refused where their run is older than --max-age",
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
                    "the report r.json is of an older run, which ended 2026-03-01 09:30:04 UTC, 1 min ago, "
                        + "and --max-age is 1 min: did the tests run?"
                )
        )
        #expect(run(command + ["--max-age=1m1s"]).code != 2)
    }

    @Test("that do not say when their run was are refused where that matters; one that died is as old as its last sign")
    func ageless() throws {
        let run = try CommandRun(Report())
        #expect(run("check", "r.json").code == 0)
        let refusal = "the report r.json does not say when its run was, so --max-age refuses it"
        #expect(run("check", "r.json", "--max-age=1d") == .refuses(refusal))
        var died = report("died")
        died.run?.finishedAt = nil
        died.retries[0].attempts[1].startedAt = Sample.start + 60
        try run.write(died, to: "r.json")
        run.now = Sample.start + 70
        #expect(run("report", "r.json", "--max-age=30s").code == 0)
        #expect(run("report", "r.json", "--max-age=5s").code == 2)
    }

    @Test("are found in a folder however deep, and no file is read twice")
    func folder() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/1/deep/retryable-retries.json")
        try run.write(report("b"), to: "shards/.2/retryable-retries.json")
        try run.link("shards/loop", to: "..")
        let outcome = run("report", "shards", "shards/1/deep/retryable-retries.json", "./shards/1")
        #expect(outcome.output.contains("2 flaky"))
        #expect(outcome.errors == "retries: read 2 reports in shards\nretries: read 0 reports in ./shards/1\n")
    }

    @Test("of a folder are files: what else is called .json is named")
    func noFiles() throws {
        let run = try CommandRun()
        try run.write(report("a"), to: "shards/one.json")
        for (name, target) in [("gone.json", "nowhere"), ("loop.json", "loop.json"), ("up.json", "..")] {
            try run.link("shards/\(name)", to: target)
        }
        #expect(mkfifo(run.folder.appendingPathComponent("shards/pipe.json").path, 0o600) == 0)
        #expect(
            run("report", "shards").errors == """
                retries: left out shards/gone.json, which is no file
                retries: left out shards/loop.json, which is no file
                retries: left out shards/pipe.json, which is no file
                retries: left out shards/up.json, which is no file
                retries: read 1 report in shards

                """
        )
    }

    @Test("are not missing where nobody can look for them")
    func outOfReach() throws {
        let run = try CommandRun()
        try run.link("loop", to: "loop")
        let outcome = run("check", "loop/r.json", "--allow-missing")
        let cause = String(cString: strerror(ELOOP))
        #expect(outcome == .refuses("the report loop/r.json cannot be read: \(cause)"))
    }

    @Test("may come from standard input")
    func standardInput() throws {
        let run = try CommandRun()
        run.standardInput = try report("piped").json()
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
