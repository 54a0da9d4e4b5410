import Foundation
import Testing

@testable import RetryReport

@Suite("retries check --changed")
struct ChangedTests {
    private let run: CommandRun
    private let usual = "XCTAssertEqual failed: (\"3\") is not equal to (\"4\") - order 17 of 0x7f8a"
    private let unusual = "the basket is empty"

    init() throws {
        run = try CommandRun()
    }

    /// A run in which one mark was entered, and flaked with a message if there is one.
    private func report(_ number: Int, _ message: String? = nil, on branch: String? = "main", commit: String? = nil)
        -> Report
    {
        let flaked = message.map { message in
            var test = Sample.flaked("late", in: number)
            test.attempts[0].failures[0].message = message
            return test
        }
        let mark = Sample.mark("late", runs: flaked == nil ? 1 : 2, flakes: flaked == nil ? 0 : 1)
        var report = Sample.run(number, [mark], retries: [flaked].compactMap(\.self))
        report.run?.origin = RunOrigin(commit: commit, branch: branch)
        return report
    }

    private func write(_ reports: [Report]) throws {
        for report in reports { try run.write(report, to: "flakes/\(report.run?.id ?? "").json") }
    }

    private func check(_ report: Report, _ arguments: String...) throws -> CommandRun.Outcome {
        try run.write(report, to: "r.json")
        return run(["check", "r.json", "--changed", "flakes"] + arguments)
    }

    @Test("retries check --changed refuses a failure of a kind that the mark never held, and says how to accept it")
    func newKind() throws {
        try write((0..<10).map { report($0, $0 % 2 == 0 ? usual : nil) })
        let change =
            "late (fixable): in this run it holds a failure unlike the 5 failures that it held before: the basket is empty, "
            + "at Tests/ShopTests/Login.swift:14; it is accepted once a run on main has it, or with --baseline REPORT"
        let outcome = try check(report(20, unusual, on: "fast"))
        #expect(outcome == .says("Tests/ShopTests/Login.swift:12: \(change)", code: 1, read: "10 reports in flakes"))
    }

    @Test("retries check --changed compares runs that share a shard, which a build system has cached")
    func cachedShard() throws {
        var cached = report(9, commit: "9")
        cached.run?.id = "cached"
        cached.run?.startedAt += 1
        let before = Report(merging: [report(9, usual, commit: "9"), cached])
        try write((0..<9).map { report($0, usual) } + [before])
        let now = Report(merging: [report(20, unusual, commit: "20"), cached])
        #expect(try check(now).output.contains("in this run it holds a failure unlike the 10 failures"))
    }

    @Test("retries check --changed knows the failures of both times, if a shard ran again and flaked again")
    func ranAgain() throws {
        let other = report(11, commit: "4f2c")
        let attempts = [(9, usual), (10, unusual)].map { report($0, $1, commit: "4f2c") }
        try write((0..<9).map { report($0, usual) } + attempts.map { Report(merging: [$0, other]) })
        #expect(try check(report(20, unusual)).code == 0)
    }

    @Test(
        "retries check --changed does not take a part of the run itself, which began earlier, for an earlier run",
        arguments: ["run-20", "merged-run-18+run-20"]
    )
    func ownPart(id: String) throws {
        try write((0..<10).map { report($0, usual) })
        var part = report(19, unusual)
        part.run?.id = id
        try write([part])
        #expect(try check(report(20, unusual)).output.contains("in this run it holds a failure unlike the 10 failures"))
    }

    @Test("retries check --changed compares a mark with its own past, if the run is of packages in several folders")
    func folders() throws {
        func report(_ number: Int, in folder: String, _ message: String) -> Report {
            var report = self.report(number, message)
            report.run?.origin.folder = folder
            return report
        }
        for (folder, message) in [("Shop", usual), ("Pay", unusual)] {
            for number in 0..<6 {
                try run.write(report(number, in: folder, message), to: "flakes/\(folder)\(number).json")
            }
            try run.write(report(20, in: folder, unusual), to: "now/\(folder).json")
        }
        #expect(run("check", "now/Pay.json", "--changed", "flakes").code == 0)
        for path in ["now/Shop.json", "now"] {
            let outcome = run("check", path, "--changed", "flakes")
            #expect(outcome.code == 1 && outcome.output.split(separator: "\n").count == 1)
        }
    }

    @Test("retries check --changed takes earlier runs of unknown origin for those of the same package")
    func unknownOrigin() throws {
        func report(_ number: Int, _ message: String) -> Report {
            var report = self.report(number, message)
            report.run?.origin = .unknown
            return report
        }
        for number in 0..<6 { try run.write(report(number, usual), to: "flakes/\(number).json") }
        try run.makeFolder(".git")
        try run.write([], to: "Tools/Package.swift")
        try run.write(report(20, unusual), to: "Tools/.build/r.json")
        run.subfolder = "Tools"
        #expect(run("check", ".build/r.json", "--changed", "../flakes").code == 1)
    }

    @Test("retries check --changed, from a package, knows the marks of merged reports, whose paths are from the root")
    func mergedInPackage() throws {
        func report(_ number: Int, in folder: String, _ message: String? = nil) -> Report {
            var report = self.report(number, message)
            report.run?.origin = RunOrigin(folder: folder)
            return report
        }
        for number in 0..<6 {
            let merged = Report(merging: [report(number, in: "Tools", usual), report(number, in: "Shop")])
            try run.write(merged, to: "flakes/\(number).json")
        }
        try run.makeFolder(".git")
        try run.write([], to: "Tools/Package.swift")
        run.subfolder = "Tools"
        for (message, code) in [(unusual, 1), (usual, Int32(0))] {
            for now in [
                report(20, in: "Tools", message),
                Report(merging: [report(20, in: "Tools", message), report(20, in: "Shop")]),
            ] {
                try run.write(now, to: "Tools/.build/r.json")
                #expect(run("check", ".build/r.json", "--changed", "../flakes").code == code)
            }
        }
    }

    @Test("retries check --changed takes the same failure with other values for known")
    func sameKind() throws {
        try write((0..<10).map { report($0, $0 % 2 == 0 ? usual : nil) })
        let other = "XCTAssertEqual failed: (\"a \"quoted\" 100\") is not equal to (\"\") - order 18 of 0x10"
        let outcome = try check(report(20, other))
        #expect(outcome.output.hasPrefix("retries: no mark changed since 10 earlier runs; the run ended "))
        #expect(outcome.code == 0)
    }

    @Test(
        "retries check --changed refuses nothing of a mark that held fewer than five failures, or is new, or did not flake"
    )
    func few() throws {
        try write((0..<10).map { report($0, $0 < 4 ? usual : nil) })
        #expect(try check(report(20, unusual)).code == 0)
        try write([report(10, usual)])
        #expect(try check(report(20, unusual)).code == 1)
        #expect(try check(report(20)).code == 0)
        let new = Sample.run(20, [Sample.mark("new", flakes: 1)], retries: [Sample.flaked("new", in: 20)])
        #expect(try check(new).code == 0)
    }

    @Test("retries check --changed knows what the default branch held, and not what this branch did")
    func branches() throws {
        try write((0..<10).map { report($0, usual) })
        try write([report(11, unusual, on: "fast", commit: "81bd0e2aaaaa")])
        let again = try check(report(20, unusual, on: "fast"))
        #expect(again.code == 1)
        #expect(again.output.contains("since 81bd0e2aaa it holds a failure unlike the 10 failures"))
        // What other branches held is neither known nor counted.
        try write([report(1, "the shop is closed", on: "slow")])
        let closed = try check(report(20, "the shop is closed", on: "fast"))
        #expect(closed.output.contains("in this run it holds a failure unlike the 9 failures"))
        try write([report(12, unusual)])
        #expect(try check(report(20, unusual, on: "fast")).code == 0)
    }

    /// The variables of a CI service for a run of a repository whose default branch is `main`.
    private func variables(onGitLab: Bool, for target: String? = nil, protected: String? = nil) throws -> [String:
        String]
    {
        let event = #"{"repository": {"default_branch": "main"}}"#
        try run.write(Array(event.utf8), to: "event.json")
        let path = run.folder.appendingPathComponent("event.json").path
        let service =
            onGitLab
            ? [
                "GITLAB_CI": "true", "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_REF_NAME": protected,
                "CI_COMMIT_REF_PROTECTED": "\(protected != nil)",
                "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": target,
            ]
            : [
                "GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": path, "GITHUB_REF_NAME": protected,
                "GITHUB_REF_PROTECTED": "\(protected != nil)",
                "GITHUB_BASE_REF": target,
            ]
        return service.compactMapValues(\.self)
    }

    @Test(
        "retries check --changed says which marks no run of the default branch entered, which CI may name",
        arguments: [true, false]
    )
    func noDefaultBranch(onGitLab: Bool) throws {
        // As in a cache for branches that are not protected.
        try write((0..<10).map { report($0, usual, on: "fast") } + [report(11, unusual, on: "fast")])
        let unknown = try check(report(20, unusual, on: "fast"))
        #expect(unknown.output.hasPrefix("retries: no mark changed since 11 earlier runs; the run ended "))
        let remark = "; 1 mark that flaked was not compared: no run on main has entered it; the run ended "
        for target in [nil, "main"] {
            run.environment = try variables(onGitLab: onGitLab, for: target)
            let alone = try check(report(20, unusual, on: "fast"))
            #expect(alone.code == 0)
            #expect(
                alone.output.hasPrefix("retries: no mark changed since 11 earlier runs\(remark)"),
                "\(alone.output)"
            )
            #expect(try !check(report(20, on: "fast")).output.contains("entered"))
        }
        #expect(try check(report(20, unusual, on: "slow")).output.contains(" since 0 earlier runs\(remark)"))
        // Other services name the target alone, or the default branch.
        for other in [["CHANGE_TARGET": "main"], ["BUILDKITE": "1", "BUILDKITE_PIPELINE_DEFAULT_BRANCH": "main"]] {
            run.environment = other
            #expect(try check(report(20, unusual, on: "fast")).output.contains(remark))
        }
        run.environment = ["CHANGE_TARGET": "dev"]
        #expect(try check(report(20, "price is negative", on: "slow")).output.contains("unlike the 11 failures"))
    }

    @Test(
        "in a merge request, retries check --changed knows what its target held, and the default branch",
        arguments: [true, false]
    )
    func target(onGitLab: Bool) throws {
        run.environment = try variables(onGitLab: onGitLab, for: "dev")
        try write((0..<10).map { report($0, usual) } + (0..<20).map { report($0 + 30, usual, on: "fast") })
        try write([report(11, unusual, on: "dev"), report(12, usual, on: "dev")])
        #expect(try check(report(60, unusual, on: "fast")).code == 0)
        try write([report(13, "the shop is closed", on: "fast")])
        let outcome = try check(report(60, "the shop is closed", on: "fast"))
        #expect(outcome.code == 1 && outcome.output.contains("; it is accepted once a run on dev or main has it"))
    }

    @Test(
        "retries check --changed knows what a protected branch held, but of others only what the default one did",
        arguments: [true, false],
        [nil, "main", "dev"]
    )
    func protected(onGitLab: Bool, branch: String?) throws {
        run.environment = try variables(onGitLab: onGitLab, protected: branch)
        try write((0..<6).map { report($0, usual) } + (6..<16).map { report($0, unusual, on: "dev") })
        #expect(try check(report(20, unusual, on: "dev")).code == (branch == "dev" ? 0 : 1))
        let outcome = try check(report(20, "the shop is closed", on: "dev"))
        let branches = branch == "dev" ? "main or dev" : "main"
        #expect(outcome.code == 1 && outcome.output.contains("; it is accepted once a run on \(branches) has it"))
        run.environment = try variables(onGitLab: onGitLab, protected: "main")
        #expect(try check(report(20, unusual)).code == 1)
        try write([report(17, unusual)])
        #expect(try check(report(20, unusual)).code == 0)
    }

    @Test("retries check --changed counts neither this run's own report in the folder, nor later ones")
    func itself() throws {
        try write((0..<10).map { report($0, usual) } + [report(20, unusual), report(21, unusual)])
        #expect(try check(report(20, unusual)).code == 1)
        #expect(try check(report(22, unusual)).code == 0)
    }

    @Test("retries check --changed refuses a run that began before all others, but not the first one")
    func noEarlier() throws {
        try write([report(20, usual)])
        let clock = "flakes has later runs than this one, and no earlier one: is the clock of one wrong?"
        #expect(try check(report(10, usual)) == .refuses("read 1 report in flakes\nretries: \(clock)"))
        #expect(try check(report(20, usual)).code == 0)
    }

    @Test("retries check --changed accepts all where no earlier run was kept, but needs the run's own report")
    func noFolder() throws {
        let remark = "1 mark that flaked was not compared: no earlier run has entered it"
        let missing = try check(report(20, usual))
        #expect(missing.code == 0)
        #expect(missing.output.hasPrefix("retries: no mark changed since 0 earlier runs; \(remark); the run ended "))
        #expect(missing.errors == "retries: flakes holds no report, and so no earlier run\n")
        try run.write(["README.md": "no report"], to: "flakes")
        let empty = try check(report(20, usual), "--allow-missing")
        #expect(empty.code == 0)
        #expect(empty.errors == missing.errors)
        #expect(run("check", "none.json", "--changed", "flakes").code == 2)
    }

    @Test("retries check --changed needs a report that counts marks")
    func uncounted() throws {
        try write([report(0, usual)])
        var old = report(20, usual)
        old.marks = nil
        #expect(
            try check(old) == .refuses("--changed needs a report that counts marks; an older version wrote this one")
        )
    }

    @Test("retries check --changed accepts what is in a baseline")
    func baseline() throws {
        try write((0..<10).map { report($0, usual) })
        try run.write(report(15, unusual), to: "known.json")
        #expect(try check(report(20, unusual), "--baseline", "known.json").code == 0)
        #expect(try check(report(20, "the shop is closed"), "--baseline", "known.json").code == 1)
    }

    @Test("retries check --changed refuses a rate that has clearly risen, until the default branch shows it")
    func rise() throws {
        let commits = (0..<60).map { String($0 + 10, radix: 16) + "0000000000" }
        let rising = (0..<60).map { number in
            report(number, number % 10 == 0 || number >= 50 ? usual : nil, commit: commits[number])
        }
        // The first run that shows it beyond chance is refused; what the default branch has shown is accepted.
        try run.makeFolder("flakes")
        let outcomes = try (40..<60).map { number in
            try write(Array(rising.prefix(number)))
            return try check(rising[number])
        }
        let refused = outcomes.filter { $0.code == 1 }
        #expect(refused.count == 1)
        let sentence = "late (fixable): since 3c00000000 it flakes in 100 % of runs, before in 10 %"
        #expect(refused.first?.output.contains(sentence) == true)
        #expect(refused.first?.output.contains("; see git log ") == true)
    }

    @Test("retries check --changed is a limit beside the others, and alone the only one")
    func limits() throws {
        try write((0..<10).map { report($0, usual) })
        #expect(try check(report(20, usual)).code == 0)
        let both = try check(report(20, usual), "--max-flaky", "0")
        #expect(both.code == 1)
        #expect(both.output.contains("1 test retried (1 flaky), none may be"))
        let fine = try check(report(20, usual), "--max-flaky", "1")
        #expect(
            fine.output.hasPrefix(
                "retries: no mark changed since 10 earlier runs; 1 test retried (1 flaky): within the limits"
            )
        )
    }

    @Test("retries check --changed says nothing that a CI takes for a command")
    func hostile() throws {
        try write((0..<10).map { report($0, usual, on: Sample.hostileText) })
        let outcome = try check(report(20, Sample.hostileText, commit: Sample.hostileText))
        #expect(outcome.code == 1)
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.hasPrefix("retries: ") })
        #expect(!outcome.output.contains("##["))
        #expect(!outcome.output.hasControlCharacters)
    }
}
