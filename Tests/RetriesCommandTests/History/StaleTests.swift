import RetryReport
import Testing

@Suite("retries check --stale")
struct StaleTests {
    @Test("asks for the removal of each mark that has run so often without a flake, and that is still there")
    func stale() throws {
        let run = try CommandRun()
        for (number, report) in Sample.many.enumerated() { try run.write(report, to: "reports/\(number).json") }
        let stale = "not seen to flake in 120 runs (below 3.1 %): it can go: the basket is empty at first (fixable)"
        let check = ["check", "reports", "--stale"]
        #expect(run(check + ["100"]) == .says("Tests/ShopTests/Basket.swift:30: \(stale)", code: 1))
        #expect(run(check + ["121"]).code == 0)
        #expect(run(check + ["30"]).output.split(separator: "\n").count == 2)
        try run.write(Sample.run(500, [Sample.mark("the token arrives late")]), to: "reports/newest.json")
        #expect(run(check + ["100"]) == .says("none of 4 marks has gone 100 runs without a flake"))
    }
}
