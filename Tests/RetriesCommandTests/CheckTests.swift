import RetryReport
import Testing

@testable import RetriesCommand

@Suite("A check")
struct CheckTests {
    private func check(_ arguments: String..., against report: Report = Sample.mixed) throws -> CommandRun.Outcome {
        let run = try CommandRun()
        try run.write(report, to: "r.json")
        return run(["check", "r.json"] + arguments)
    }

    @Test(
        "passes up to its limit and fails beyond it",
        arguments: [
            (["--max-flaky", "5"], 0), (["--max-flaky", "4"], 1),
            (["--max-retries", "5"], 0), (["--max-retries", "4"], 1),
            (["--max-step-retries", "4"], 0), (["--max-step-retries", "3"], 1),
            (["--forbid", "fixable"], 1), (["--forbid", "not-fixable"], 1),
            ([], 1),
        ] as [([String], Int32)]
    )
    func limits(arguments: [String], code: Int32) throws {
        let run = try CommandRun()
        try run.write(Sample.mixed, to: "r.json")
        #expect(run(["check", "r.json"] + arguments).code == code)
    }

    @Test("has a line for each reason")
    func reasons() throws {
        let outcome = try check("--max-flaky=1", "--max-retries=1", "--max-step-retries=1", "--forbid=not-fixable")
        let names = "ShopTests -[CartTests testAdds], ShopTests -[CheckoutTests testPays], -[OldTests testOld], "
        #expect(
            outcome.output == """
                retries: 5 tests flaked, at most 1 allowed: \(names)\
                ShopTests -[VideoTests testResumes], ShopTests Search/finds()
                retries: 5 tests took 5 retries, at most 1 allowed
                retries: 2 steps took 4 retries, at most 1 allowed: \
                "sign in" in ShopTests -[CartTests testAdds], "open the cart" in ShopTests -[CartTests testAdds]
                retries: ShopTests -[CheckoutTests testPays] flaked, and none marked not fixable may: \
                the sandbox store drops requests, at Tests/ShopTests/Shop.swift:7
                retries: ShopTests -[VideoTests testResumes] flaked, and none marked not fixable may: \
                the sandbox store drops requests, at Tests/ShopTests/Shop.swift:7

                """
        )
        #expect(outcome.errors.isEmpty)
    }

    @Test("that passes says so in one line")
    func approval() throws {
        #expect(try check(against: Sample.empty).output == "retries: no test flaked: within the limits\n")
        #expect(try check("--max-flaky=9").output == "retries: 5 tests flaked: within the limits\n")
    }

    @Test("with a baseline counts only what that does not know")
    func baseline() throws {
        let run = try CommandRun()
        var report = Sample.mixed
        try run.write(Sample.mixed, to: "known.json")
        try run.write(report, to: "r.json")
        #expect(
            run("check", "r.json", "--baseline", "known.json").output
                == "retries: no new test flaked: within the limits\n"
        )

        report.retries.append(Sample.retry("-[NewTests testNew]", .recovered, [.flaked, .passed]))
        var elsewhere = report.retries[0]
        elsewhere.module = "OtherTests"
        report.retries.append(elsewhere)
        report.steps.append(Sample.step("swipe", succeeded: true))
        try run.write(report, to: "r.json")
        let outcome = run("check", "r.json", "--baseline", "known.json", "--max-flaky=0", "--max-step-retries=0")
        #expect(outcome.code == 1)
        #expect(
            outcome.output == """
                retries: 2 new tests flaked, none may: OtherTests -[CartTests testAdds], ShopTests -[NewTests testNew]
                retries: 1 new step took 2 retries, none may: "swipe" in ShopTests -[CartTests testAdds]

                """
        )
    }

    @Test("takes a baseline of version 0.6.0, which has no modules, by name")
    func oldBaseline() throws {
        let run = try CommandRun()
        try run.write(Sample.mixed, to: "r.json")
        var old = Sample.mixed
        for index in old.retries.indices { old.retries[index].module = nil }
        try run.write(old, to: "known.json")
        #expect(run("check", "r.json", "--baseline", "known.json").code == 0)
    }

    @Test("fails with code 2, not 1 or 0, if its baseline cannot be read")
    func missingBaseline() throws {
        let outcome = try check("--baseline", "missing.json")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("missing.json"))
    }

    @Test("says nothing that a CI takes for a command")
    func hostile() throws {
        let outcome = try check("--forbid=fixable,not-fixable", "--max-step-retries=0", against: Sample.hostile)
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.hasPrefix("retries: ") })
        #expect(!outcome.output.contains("##["))
        #expect(!outcome.output.unicodeScalars.contains { $0.isControl && $0 != "\n" })
    }
}
