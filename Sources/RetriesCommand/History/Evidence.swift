import Groundwork

/// What the runs have shown of a mark.
struct Evidence: Hashable, Encodable {
    /// In how many runs it was entered.
    var runs = 0
    /// In how many of these it flaked.
    var flakedRuns = 0
    /// In how many runs it was entered since it last flaked: in all, if it never did.
    var runsSinceFlake = 0
    /// How many attempts entered it: a run has several if several tests do, or one is retried.
    var attempts = 0
    /// How many attempts flaked because of it, or would have but for the run's mode.
    var flakes = 0
    /// How many attempts failed in it because its retries were used up.
    var failures = 0
    /// How often it flaked in runs that do not say how often it was entered: those of versions that did not count.
    var flakesOfUncountedRuns = 0

    /// Takes over what a run shows; runs are added in their order.
    mutating func add(_ sighting: RunRecord.Sighting) {
        if sighting.hasFlaked { runsSinceFlake = 0 }
        guard sighting.mark.runs > 0 else {
            flakesOfUncountedRuns += sighting.tests.reduce(0) { $0 + $1.flakes }
            return
        }
        runs += 1
        attempts += sighting.mark.runs
        flakes += sighting.mark.flakes
        failures += sighting.mark.failures
        if sighting.hasFlaked { flakedRuns += 1 } else { runsSinceFlake += 1 }
    }

    /// How often a run has a flake of it.
    var rate: Double { runs == 0 ? 0 : Double(flakedRuns) / Double(runs) }
    var interval: ConfidenceInterval { ConfidenceInterval(flakedRuns, of: runs) }

    /// Such as `flaked in 7 of 200 runs, 3.5 % (1.7 % to 7.1 %)`, or `flaked in none of 200 runs (below 1.9 %)`.
    var sentence: String {
        let uncounted = flakesOfUncountedRuns.of("flake")
        guard runs > 0 else { return "\(uncounted), in runs that do not say how often it ran" }
        var sentence =
            flakedRuns == 0
            ? "flaked in none of \(runs.of("run")) (below \(interval.high.percent))"
            : "flaked in \(flakedRuns) of \(runs.of("run")), \(rate.percent) (\(interval.words))"
        if flakesOfUncountedRuns > 0 { sentence += "; \(uncounted) in runs that do not say how often it ran" }
        return sentence
    }
}
