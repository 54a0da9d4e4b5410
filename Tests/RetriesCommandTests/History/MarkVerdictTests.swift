import Testing

@testable import RetriesCommand

@Suite("The verdict on a mark")
struct VerdictTests {
    typealias Row = (verdict: MarkVerdict, reason: String, evidence: Evidence)

    private static func evidence(_ runs: Int, flaked: Int = 0, since: Int, attempts: Int? = nil, failures: Int = 0)
        -> Evidence
    {
        Evidence(
            runs: runs,
            flakedRuns: flaked,
            runsSinceFlake: since,
            attempts: attempts ?? runs + flaked,
            flakes: flaked,
            failures: failures
        )
    }

    static let rows: [Row] = [
        (.new, "no flake in 1 run, which is too few to say; 100 are enough", evidence(1, since: 1)),
        (.new, "no flake in 99 runs, which is too few to say; 100 are enough", evidence(99, since: 99)),
        (.notSeen, "not seen to flake in 100 runs (below 3.7 %): it can go", evidence(100, since: 100)),
        (
            .notSeen, "not seen to flake in the last 200 runs (below 1.9 %): it can go",
            evidence(300, flaked: 90, since: 200)
        ),
        (.needed, "flaked in the newest run that entered it", evidence(200, flaked: 7, since: 0)),
        (.needed, "flaked 1 run ago", evidence(200, flaked: 1, since: 1)),
        (.needed, "flaked 99 runs ago", evidence(100, flaked: 1, since: 99)),
        (.needed, "flaked in the newest run that entered it", evidence(1, flaked: 1, since: 0)),
        // Half is not more than half; nine attempts are too few; what has passed ten times since is no longer broken.
        (.needed, "flaked in the newest run that entered it", evidence(10, flaked: 5, since: 0, attempts: 10)),
        (.needed, "flaked in the newest run that entered it", evidence(9, flaked: 9, since: 0, attempts: 9)),
        (.needed, "flaked 10 runs ago", evidence(40, flaked: 30, since: 10, attempts: 50)),
        (
            .broken, "flakes more often than not, in 192 of 320 attempts: a defect, not a flake",
            evidence(200, flaked: 120, since: 2, attempts: 320, failures: 72)
        ),
        // A mark that many tests share flakes in most runs, and is no more broken than each of its attempts.
        (.needed, "flaked in the newest run that entered it", evidence(20, flaked: 18, since: 0, attempts: 2_000)),
    ]

    @Test("the verdict on a mark follows from its runs and flakes, and says why", arguments: rows)
    func verdicts(row: Row) {
        let verdict = MarkVerdict(row.evidence)
        #expect(verdict == row.verdict)
        #expect(verdict.reason(row.evidence) == row.reason)
    }

    @Test("the verdict on a mark needs as many runs as it is told")
    func enough() {
        let evidence = Evidence(runs: 5, runsSinceFlake: 5)
        #expect(MarkVerdict(evidence, staleAfter: 5) == .notSeen)
        #expect(MarkVerdict(evidence, staleAfter: 6) == .new)
        #expect(MarkVerdict(Evidence(), staleAfter: 0) == .new)
    }
}

@Suite("The interval of a rate")
struct ConfidenceIntervalTests {
    @Test(
        "the interval of a rate is Wilson's, even with no runs, no flakes or nothing but flakes",
        arguments: [
            (0, 0, "0 %", "0 % to 100 %"),
            (7, 200, "3.5 %", "1.7 % to 7.1 %"),
            (0, 200, "0 %", "0 % to 1.9 %"),
            (200, 200, "100 %", "98.1 % to 100 %"),
            (1, 1, "100 %", "20.7 % to 100 %"),
            (120, 200, "60 %", "53.1 % to 66.5 %"),
            (1, 100_000, "0 %", "0 % to 0.01 %"),
            (5, 10_000, "0.05 %", "0.02 % to 0.1 %"),
        ]
    )
    func wilson(count: Int, runs: Int, rate: String, words: String) {
        #expect((Double(count) / Double(runs)).percent == rate)
        #expect(ConfidenceInterval(count, of: runs).text == words)
    }
}

@Suite("The blocks of a mark's runs")
struct TrendTests {
    private func text(_ trend: [TrendBlock]) -> [String] { trend.map { "\($0.flaked)/\($0.runs)" } }

    @Test(
        "the blocks of a mark's runs are one for each run, empty where the mark did not run, and put runs together that do not fit"
    )
    func blocks() {
        #expect(text(TrendBlock.row(of: [nil, false, true, false], width: 40)) == ["0/0", "0/1", "1/1", "0/1"])
        #expect(TrendBlock.row(of: [], width: 40).isEmpty)
        let runs = (0..<400).map { run -> Bool? in run < 100 ? nil : run < 200 ? false : run < 300 ? run == 250 : true }
        #expect(text(TrendBlock.row(of: runs, width: 4)) == ["0/0", "0/100", "1/100", "100/100"])
        #expect(text(TrendBlock.row(of: [false, true, true, true], width: 1)) == ["3/4"])
        #expect(TrendBlock.row(of: Array(repeating: true, count: 999), width: 40).reduce(0) { $0 + $1.runs } == 999)
    }
}
