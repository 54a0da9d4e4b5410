import Testing

@testable import RetriesCommand

@Suite("The verdict on a mark")
struct VerdictTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var evidence: Evidence
        var verdict: Verdict
        var reason: String
        var testDescription: String { reason }

        init(
            _ verdict: Verdict,
            _ reason: String,
            runs: Int,
            flaked: Int = 0,
            since: Int,
            attempts: Int? = nil,
            failures: Int = 0
        ) {
            self.verdict = verdict
            self.reason = reason
            evidence = Evidence()
            evidence.runs = runs
            evidence.flakedRuns = flaked
            evidence.runsSinceFlake = since
            evidence.attempts = attempts ?? runs + flaked
            evidence.flakes = flaked
            evidence.failures = failures
        }
    }

    static let rows = [
        Row(.new, "no flake in 1 run, which is too few to say; 100 are enough", runs: 1, since: 1),
        Row(.new, "no flake in 99 runs, which is too few to say; 100 are enough", runs: 99, since: 99),
        Row(.notSeen, "not seen to flake in 100 runs (below 3.7 %): it can go", runs: 100, since: 100),
        Row(
            .notSeen,
            "not seen to flake in the last 200 runs (below 1.9 %): it can go",
            runs: 300,
            flaked: 90,
            since: 200
        ),
        Row(.needed, "flaked in the newest run that entered it", runs: 200, flaked: 7, since: 0),
        Row(.needed, "flaked 1 run ago; can go after 100 without a flake", runs: 200, flaked: 1, since: 1),
        Row(.needed, "flaked 99 runs ago; can go after 100 without a flake", runs: 100, flaked: 1, since: 99),
        Row(.needed, "flaked in the newest run that entered it", runs: 1, flaked: 1, since: 0),
        // Half is not more than half; nine attempts are too few; what has passed ten times since is no longer broken.
        Row(.needed, "flaked in the newest run that entered it", runs: 10, flaked: 5, since: 0, attempts: 10),
        Row(.needed, "flaked in the newest run that entered it", runs: 9, flaked: 9, since: 0, attempts: 9),
        Row(
            .needed,
            "flaked 10 runs ago; can go after 100 without a flake",
            runs: 40,
            flaked: 30,
            since: 10,
            attempts: 50
        ),
        Row(
            .broken,
            "flakes more often than not, in 192 of 320 attempts: a defect, not a flake",
            runs: 200,
            flaked: 120,
            since: 2,
            attempts: 320,
            failures: 72
        ),
        // A mark that many tests share flakes in most runs, and is no more broken than each of its attempts.
        Row(.needed, "flaked in the newest run that entered it", runs: 20, flaked: 18, since: 0, attempts: 2_000),
    ]

    @Test("follows from what was seen, and says why", arguments: rows)
    func verdicts(row: Row) {
        let verdict = Verdict(row.evidence)
        #expect(verdict == row.verdict)
        #expect(verdict.reason(row.evidence) == row.reason)
    }

    @Test("takes as many runs for enough as it is told")
    func enough() {
        var evidence = Evidence()
        evidence.runs = 5
        evidence.runsSinceFlake = 5
        #expect(Verdict(evidence, staleAfter: 5) == .notSeen)
        #expect(Verdict(evidence, staleAfter: 6) == .new)
        #expect(Verdict(Evidence(), staleAfter: 0) == .new)
    }

    @Test("stands beside the rate and its interval")
    func sentences() {
        var evidence = Evidence()
        evidence.runs = 200
        #expect(evidence.sentence == "flaked in none of 200 runs (below 1.9 %)")
        evidence.flakedRuns = 7
        #expect(evidence.sentence == "flaked in 7 of 200 runs, 3.5 % (1.7 % to 7.1 %)")
    }
}

@Suite("The interval of a rate")
struct ConfidenceIntervalTests {
    @Test(
        "is Wilson's, also where nothing or everything was seen",
        arguments: [
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

    @Test("says nothing of what never ran")
    func empty() {
        #expect(ConfidenceInterval(0, of: 0).text == "0 % to 100 %")
    }

    @Test("holds the true rate in at least 93 of 100 series of 200 runs", arguments: [0, 0.1, 0.6])
    func coverage(rate: Double) {
        let held = (1...100).count { seed in
            var dice = Dice(seed: UInt64(seed))
            let flaked = (0..<200).count { _ in Double.random(in: 0..<1, using: &dice) < rate }
            let interval = ConfidenceInterval(flaked, of: 200)
            return interval.low <= rate && rate <= interval.high
        }
        #expect(held >= 93)
    }

    /// SplitMix64: the same numbers for the same seed, on every system.
    private struct Dice: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) {
            state = seed
        }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }
}

@Suite("The bar of a mark's runs")
struct TrendTests {
    @Test("has a block for each run, and a gap where the mark did not run")
    func single() {
        #expect(Trend([nil, false, true, false], width: 40).text == "·▁█▁")
        #expect(Trend([], width: 40).text == "")
    }

    @Test("puts runs together that do not fit, and shows one flake among many")
    func many() {
        let runs = (0..<400).map { run -> Bool? in run < 100 ? nil : run < 200 ? false : run < 300 ? run == 250 : true }
        #expect(Trend(runs, width: 4).text == "·▁▂█")
        #expect(Trend([false, true, true, true], width: 1).text == "▇")
        #expect(Trend(Array(repeating: true, count: 999), width: 40).blocks.reduce(0) { $0 + $1.runs } == 999)
    }
}
