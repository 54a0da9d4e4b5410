import Testing

@testable import RetriesCommand

@Suite("The verdict on a mark")
struct MarkVerdictTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var evidence: Evidence
        var verdict: MarkVerdict
        var reason: String
        var testDescription: String { reason }

        init(
            _ verdict: MarkVerdict,
            _ reason: String,
            runs: Int,
            flaked: Int = 0,
            since: Int,
            attempts: Int? = nil,
            failures: Int = 0,
            uncounted: Int = 0
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
            evidence.flakesOfUncountedRuns = uncounted
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
        Row(.needed, "flaked, and no run says how often it ran", runs: 0, since: 0, uncounted: 3),
        Row(.needed, "flaked 30 runs ago; can go after 100 without a flake", runs: 30, since: 30, uncounted: 1),
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
        let verdict = MarkVerdict(row.evidence)
        #expect(verdict == row.verdict)
        #expect(verdict.reason(row.evidence) == row.reason)
    }

    @Test("takes as many runs for enough as it is told")
    func enough() {
        var evidence = Evidence()
        evidence.runs = 5
        evidence.runsSinceFlake = 5
        #expect(MarkVerdict(evidence, enough: 5) == .notSeen)
        #expect(MarkVerdict(evidence, enough: 6) == .new)
        #expect(MarkVerdict(Evidence(), enough: 0) == .new)
    }

    @Test("stands beside the rate and its interval")
    func sentences() {
        var evidence = Evidence()
        evidence.runs = 200
        #expect(evidence.sentence == "flaked in none of 200 runs (below 1.9 %)")
        evidence.flakedRuns = 7
        #expect(evidence.sentence == "flaked in 7 of 200 runs, 3.5 % (1.7 % to 7.1 %)")
        evidence.flakesOfUncountedRuns = 2
        #expect(
            evidence.sentence
                == "flaked in 7 of 200 runs, 3.5 % (1.7 % to 7.1 %); 2 flakes in runs that do not say how often it ran"
        )
        evidence.runs = 0
        #expect(evidence.sentence == "2 flakes, in runs that do not say how often it ran")
    }
}
