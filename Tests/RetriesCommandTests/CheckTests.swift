import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("A check")
struct CheckTests {
    private func check(_ arguments: String..., against report: Report = Sample.mixed) throws -> CommandRun.Outcome {
        let run = try CommandRun(report)
        return run(["check", "r.json"] + arguments)
    }

    @Test(
        "a check passes up to its limit and fails beyond it",
        arguments: [
            (["--max-flaky", "5"], 0), (["--max-flaky", "4"], 1),
            (["--max-retries", "5"], 0), (["--max-retries", "4"], 1),
            (["--max-step-retries", "4"], 0), (["--max-step-retries", "3"], 1),
            (["--forbid", "fixable"], 1), (["--forbid", "not-fixable"], 1),
            ([], 1),
        ] as [([String], Int32)]
    )
    func limits(arguments: [String], code: Int32) throws {
        let run = try CommandRun(Sample.mixed)
        #expect(run(["check", "r.json", "--allow-unfinished"] + arguments).code == code)
    }

    @Test("a check has a line for each reason")
    func reasons() throws {
        let outcome = try check("--max-flaky=1", "--max-retries=1", "--max-step-retries=1", "--forbid=not-fixable")
        let names = "ShopTests -[CheckoutTests testPays], ShopTests -[VideoTests testResumes], -[OldTests testOld], "
        let tests = "5 tests retried (1 failed, 1 pending, 2 flaky, 1 unknown)"
        let forbidden =
            "no test marked not fixable may flake; reason: the sandbox store drops requests, at Tests/ShopTests/Shop.swift:7; "
            + "failure: XCTAssertNotNil failed, at Tests/ShopTests/Shop.swift:10"
        #expect(
            outcome
                == .says(
                    "1 test flaked, and the process ended before a retry did: ShopTests -[VideoTests testResumes]",
                    "\(tests), at most 1 may be: \(names)ShopTests -[CartTests testAdds], ShopTests Search/finds()",
                    "\(tests): that took 5 retries, and at most 1 are allowed",
                    "2 steps took 4 retries, and at most 1 are allowed: "
                        + #""open the cart" in ShopTests -[CartTests testAdds], "sign in" in ShopTests -[CartTests testAdds]"#,
                    "ShopTests -[CheckoutTests testPays] failed, 3 attempts; \(forbidden)",
                    "ShopTests -[VideoTests testResumes] flaked on attempt 1 of 2, and its process ended before a retry did; "
                        + forbidden,
                    code: 1
                )
        )
    }

    @Test("a forbidden mark that flaked is seen also if another section of its test flaked after it")
    func forbiddenBefore() throws {
        let test = Sample.retry("-[A a]", .recovered, [.flaked, .flaked, .passed], fixable: false, allowed: 2)
        var report = Report(run: Sample.run("1"), tests: [test])
        let other = Flakiness.fixable(reason: "an animation")
        report.marks = [(test.mark, "Tests/ShopTests/Shop.swift"), (other, "Tests/UI.swift")].map { mark, file in
            var count = MarkCount(mark, file: file, line: 7, module: "ShopTests")
            (count.attempts, count.flakes) = (3, 1)
            return count
        }
        let sentence = "a section that is fixable flaked in 1 attempt, and none may"
        let expected = "\(sentence); reason: an animation, at Tests/UI.swift:7"
        #expect(try check("--forbid=fixable", against: report) == .says(expected, code: 1))
        #expect(try check("--forbid=not-fixable", against: report).output.split(separator: "\n").count == 1)
    }

    @Test("of marks that flaked, a baseline allows those that flaked in it, and no other")
    func forbiddenBaseline() throws {
        var report = Report(run: Sample.run("1"))
        var count = MarkCount(.fixable(reason: "an animation"), file: "Tests/UI.swift", line: 7, module: "ShopTests")
        (count.attempts, count.flakes) = (3, 1)
        report.marks = [count]
        let run = try CommandRun(report)
        let check = ["check", "r.json", "--forbid=fixable", "--baseline=base.json", "--allow-missing"]
        #expect(run(check).code == 1)
        try run.write(Report(run: Sample.run("0"), marks: []), to: "base.json")
        #expect(run(check).code == 1)
        count.line = 9
        try run.write(Report(run: Sample.run("0"), marks: [count]), to: "base.json")
        #expect(run(check).code == 0)
        // Of several packages, paths are from the root.
        report.run?.origin.folder = "Shop"
        try run.write(report, to: "r.json")
        count.file = "Shop/Tests/UI.swift"
        try run.write(Report(run: Sample.run("0"), marks: [count]), to: "base.json")
        #expect(run(check).code == 0)
    }

    @Test("a check that passes says so in one line, with the age of the run")
    func approval() throws {
        let fine = "within the limits; the run ended 1 min ago"
        #expect(try check(against: Sample.empty) == .says("no test retried: \(fine)"))
        let tests = "5 tests retried (1 failed, 1 pending, 2 flaky, 1 unknown)"
        #expect(try check("--max-flaky=9", "--allow-unfinished") == .says("\(tests): \(fine)"))
    }

    @Test(
        "a check fails if a test is pending or a process did not end, even with a baseline, unless that is allowed",
        arguments: [
            (
                Report(run: Sample.run("1"), tests: [Sample.retry("-[A a]", .pending, [.flaked])]),
                "1 test flaked, and the process ended before a retry did: ShopTests -[A a]"
            ),
            (Sample.died, Sample.died.overview.warning ?? ""),
        ]
    )
    func unfinished(report: Report, reason: String) throws {
        let run = try CommandRun(report)
        try run.write(report, to: "folder/1.json")
        try run.write(Sample.empty, to: "folder/2.json")
        for arguments in [["r.json"], ["r.json", "--baseline=r.json"], ["folder"]] {
            let outcome = run(["check", "--max-flaky=1"] + arguments)
            #expect(outcome.code == 1 && outcome.output == "retries: \(reason)\n")
            #expect(run(["check", "--max-flaky=1", "--allow-unfinished"] + arguments).code == 0)
        }
    }

    @Test("a check with a baseline counts only what the baseline does not have")
    func baseline() throws {
        let run = try CommandRun()
        var report = Sample.mixed
        try run.write(Sample.mixed, to: "known.json")
        report.run?.id = "later"
        try run.write(report, to: "r.json")
        #expect(
            run("check", "r.json", "--baseline", "known.json", "--allow-unfinished")
                == .says("no new test retried: within the limits; the run ended 1 min ago")
        )

        report.tests.append(Sample.retry("-[NewTests testNew]", .recovered, [.flaked, .passed]))
        var elsewhere = report.tests[0]
        elsewhere.module = "OtherTests"
        report.tests.append(elsewhere)
        report.steps.append(Sample.step("swipe", succeeded: true))
        try run.write(report, to: "r.json")
        let limits = ["--max-flaky=0", "--max-step-retries=0", "--allow-unfinished"]
        #expect(
            run(["check", "r.json", "--baseline", "known.json"] + limits)
                == .says(
                    "2 new tests retried (2 flaky), none may be: OtherTests -[CartTests testAdds], ShopTests -[NewTests testNew]",
                    #"1 new step took 2 retries, and none are allowed: "swipe" in ShopTests -[CartTests testAdds]"#,
                    code: 1
                )
        )
    }

    @Test("a check is never its own baseline", arguments: ["r.json", "."])
    func ownBaseline(path: String) throws {
        let outcome = try check("--baseline", path, "--allow-unfinished")
        #expect(outcome.code == 1)
        #expect(outcome.output.hasPrefix("retries: 5 new tests retried"))
    }

    @Test(
        "a check takes a copy of its report in the baseline's folder, or of a shard of it, for no baseline",
        arguments: [["4f2c", "4f2c"], ["4f2c", "9e10"]]
    )
    func copiedBaseline(commits: [String]) throws {
        let run = try CommandRun()
        let shards = commits.indices.map { index in
            var report = Sample.mixed
            report.run?.id = "\(index + 1)"
            report.run?.origin.commit = commits[index]
            report.run?.startedAt += Double(index)
            report.run?.finishedAt? += Double(index)
            return report
        }
        for (name, report) in zip(["shards/1.json", "shards/2.json"], shards) { try run.write(report, to: name) }
        try run.write(shards[0], to: "flakes/1.json")
        try run.write(Report(merging: shards), to: "flakes/whole.json")
        let check = ["check", "shards", "--baseline", "flakes", "--allow-unfinished", "--allow-missing"]
        let alone = run(check)
        #expect(alone.code == 1 && alone.output.hasPrefix("retries: 10 new tests retried"))
        for name in ["1", "whole"] {
            #expect(alone.errors.contains("left out flakes/\(name).json, which is of the run that is checked\n"))
        }
        // Of another run, but for a shard that a build system has cached.
        var other = Sample.mixed
        other.run?.origin.commit = "8d01"
        other.run?.startedAt += 60
        try run.write(Report(merging: [other, shards[0]]), to: "flakes/0.json")
        #expect(run(check).code == 0)
    }

    @Test("a report of another commit is a baseline, though both have one RETRYABLE_RUN_ID")
    func fixedIdentity() throws {
        let run = try CommandRun()
        for (name, commit) in [("r.json", "9e10"), ("flakes/old.json", "4f2c")] {
            var report = Sample.mixed
            report.run?.origin.commit = commit
            try run.write(report, to: name)
        }
        #expect(run("check", "r.json", "--baseline", "flakes", "--allow-unfinished").code == 0)
    }

    @Test("a check whose baseline is missing ends with code 2, unless that is allowed; then everything is new")
    func missingBaseline() throws {
        let outcome = try check("--baseline", "missing.json")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("missing.json"))
        let allowed = try check("--baseline", "missing.json", "--allow-missing", against: Sample.empty)
        #expect(allowed.code == 0)
        #expect(allowed.output == "retries: no new test retried: within the limits; the run ended 1 min ago\n")
        #expect(allowed.errors == "retries: there is no report missing.json, which --allow-missing allows\n")
        #expect(try check("--baseline", "missing.json", "--allow-missing").code == 1)
    }

    @Test("a check prints nothing that a CI takes for a command")
    func hostile() throws {
        let outcome = try check("--forbid=fixable,not-fixable", "--max-step-retries=0", against: Sample.hostile)
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.hasPrefix("retries: ") })
        #expect(!outcome.output.contains("##["))
        #expect(!outcome.output.hasControlCharacters)
    }
}
