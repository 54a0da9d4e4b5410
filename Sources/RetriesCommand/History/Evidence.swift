import Groundwork
import RetryReport

/// A mark's counts over many runs; encoded as JSON.
struct Evidence: Hashable, Encodable {
    /// The number of runs that entered it.
    var runs = 0
    var flakedRuns = 0
    /// The number of runs that entered it since its last flake; all, if it never flaked.
    var runsSinceFlake = 0
    /// The number of attempts that entered it: a run has several if several tests do, or one is retried.
    var attempts = 0
    /// The number of attempts that flaked because of it, or would have if the run's mode had allowed flakes.
    var flakes = 0
    /// The number of attempts that failed in it because no retry was left.
    var failures = 0

    var rate: Double { runs == 0 ? 0 : Double(flakedRuns) / Double(runs) }
    var interval: ConfidenceInterval { ConfidenceInterval(flakedRuns, of: runs) }

    /// A sentence such as `flaked in 7 of 200 runs, 3.5 % (1.7 % to 7.1 %)`.
    var sentence: String {
        flakedRuns == 0
            ? "flaked in none of \(runs.of("run")) (below \(interval.high.percent))"
            : "flaked in \(flakedRuns) of \(runs.of("run")), \(rate.percent) (\(interval.text))"
    }
}

extension Evidence {
    /// - Parameter marks: The mark in each run that entered it, in their order.
    init(_ marks: [RunRecord.Mark]) {
        runs = marks.count
        flakedRuns = marks.count(where: \.hasFlaked)
        runsSinceFlake = marks.reversed().prefix { !$0.hasFlaked }.count
        attempts = marks.reduce(0) { $0 + $1.count.attempts }
        flakes = marks.reduce(0) { $0 + $1.count.flakes }
        failures = marks.reduce(0) { $0 + $1.count.failures }
    }
}
