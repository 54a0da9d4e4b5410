import Groundwork

/// What is to be done about a mark, the most urgent first.
enum MarkVerdict: String, CaseIterable, Comparable {
    /// More than half of the attempts that entered it failed in it: that is a defect, not a flake.
    case broken
    /// It flakes.
    case needed
    /// It has run often since it last flaked, if it ever did: it can go.
    case notSeen
    /// It has not flaked, and has not run often enough to say more.
    case new

    /// In how many runs a mark must not have flaked for it to be one that can go, where nobody says another number: what
    /// flakes less often than in 3.7 % of the runs then remains possible.
    static let enoughRuns = 100

    /// How many attempts there must be, for more than half of them to mean anything, and how many runs without a flake
    /// show that it is over: a mark that flakes more often than not passes that often in one of a thousand cases.
    private static let few = 10

    /// The verdict on `evidence`.
    ///
    /// - Parameter enough: In how many runs a mark must not have flaked to be one that can go.
    init(_ evidence: Evidence, enough: Int = enoughRuns) {
        let bad = evidence.flakes + evidence.failures
        if evidence.runs > 0, evidence.runsSinceFlake >= enough {
            self = .notSeen
        } else if evidence.flakedRuns == 0, evidence.flakesOfUncountedRuns == 0 {
            self = .new
        } else if evidence.attempts >= Self.few, bad * 2 > evidence.attempts, evidence.runsSinceFlake < Self.few {
            self = .broken
        } else {
            self = .needed
        }
    }

    static func < (first: MarkVerdict, second: MarkVerdict) -> Bool {
        allCases.firstIndex(of: first) ?? 0 < allCases.firstIndex(of: second) ?? 0
    }

    var words: String {
        switch self {
        case .broken: "broken"
        case .needed: "needed"
        case .new: "new"
        case .notSeen: "can go"
        }
    }

    /// Why, in a sentence.
    func reason(_ evidence: Evidence, enough: Int = enoughRuns) -> String {
        let since = evidence.runsSinceFlake
        switch self {
        case .broken:
            let bad = evidence.flakes + evidence.failures
            return "flakes more often than not, in \(bad) of \(evidence.attempts.of("attempt")): a defect, not a flake"
        case .needed where evidence.runs == 0:
            return "flaked, and no run says how often it ran"
        case .needed where since == 0:
            return "flaked in the newest run that entered it"
        case .needed:
            return "flaked \(since.of("run")) ago; can go after \(enough) without a flake"
        case .new:
            return "no flake in \(evidence.runs.of("run")), which is too few to say; \(enough) are enough"
        case .notSeen:
            let bound = ConfidenceInterval(0, of: since).high.percent
            let which = since == evidence.runs ? "" : "the last "
            return "not seen to flake in \(which)\(since.of("run")) (below \(bound)): it can go"
        }
    }
}

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

/// Where a rate lies with 95 % confidence, when something was seen to happen in so many of so many runs: Wilson's interval.
///
/// It holds for few runs and for rates near 0, where the interval that adds and subtracts two standard deviations does not:
/// of nothing seen in 200 runs it says "below 1.9 %", not "0 %".
struct ConfidenceInterval: Hashable {
    let low: Double
    let high: Double

    /// How many standard deviations of the normal distribution hold 95 %.
    private static let z = 1.959963984540054

    /// The interval for `count` of `runs`; everything from 0 to 1 if there was no run.
    init(_ count: Int, of runs: Int) {
        guard runs > 0 else {
            (low, high) = (0, 1)
            return
        }
        let n = Double(runs)
        let rate = Double(count) / n
        let square = Self.z * Self.z
        let center = rate + square / (2 * n)
        let width = Self.z * (rate * (1 - rate) / n + square / (4 * n * n)).squareRoot()
        // The ends are exact where nothing, or everything, was seen: rounding must not put them beside the rate.
        low = count == 0 ? 0 : (center - width) / (1 + square / n)
        high = count == runs ? 1 : (center + width) / (1 + square / n)
    }

    /// Such as `1.7 % to 7.1 %`.
    var words: String { "\(low.percent) to \(high.percent)" }
}

extension Double {
    /// This part of 1 as a person reads it: `3.5 %`, `60 %`, `0.04 %`.
    var percent: String {
        let hundredths = Int((Swift.min(Swift.max(isNaN ? 0 : self, 0), 1) * 10_000).rounded())
        if hundredths < 10 { return hundredths == 0 ? "0 %" : "0.0\(hundredths) %" }
        let tenths = (hundredths + 5) / 10
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }
}
