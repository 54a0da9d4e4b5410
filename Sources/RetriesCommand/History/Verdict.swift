import Groundwork

/// The next step with a mark, the most urgent first.
enum Verdict: CaseIterable, Comparable {
    /// More than half of the attempts that entered it failed in it: that is a defect, not a flake.
    case broken
    case needed
    /// It has run often without a flake, in all or since its last one: it can go.
    case notSeen
    /// It has not flaked, in too few runs to say more.
    case new
    /// The newest run did not enter it.
    case removed

    /// The number of runs without a flake after which a mark can go, unless the user says another.
    ///
    /// A rate above 3.7 % of the runs is then excluded with 95 % confidence.
    static let staleAfter = 100

    /// The fewest attempts of which more than half mean anything, and the runs without a flake that show a defect is gone.
    ///
    /// A mark that flakes more often than not passes ten times in a row in one of a thousand cases.
    private static let few = 10

    /// The verdict on a mark that the newest run entered.
    init(_ evidence: Evidence, staleAfter: Int = staleAfter) {
        let bad = evidence.flakes + evidence.failures
        if evidence.runs > 0, evidence.runsSinceFlake >= staleAfter {
            self = .notSeen
        } else if evidence.flakedRuns == 0 {
            self = .new
        } else if evidence.attempts >= Self.few, bad * 2 > evidence.attempts, evidence.runsSinceFlake < Self.few {
            self = .broken
        } else {
            self = .needed
        }
    }

    /// The name that users read.
    var name: String { self == .notSeen ? "can go" : "\(self)" }

    /// The reason, in a sentence.
    func reason(_ evidence: Evidence, staleAfter: Int = staleAfter) -> String {
        let since = evidence.runsSinceFlake
        switch self {
        case .broken:
            let bad = evidence.flakes + evidence.failures
            return "flakes more often than not, in \(bad) of \(evidence.attempts.of("attempt")): a defect, not a flake"
        case .needed where since == 0:
            return "flaked in the newest run that entered it"
        case .needed:
            return "flaked \(since.of("run")) ago"
        case .new:
            return "no flake in \(evidence.runs.of("run")), which is too few to say; \(staleAfter) are enough"
        case .notSeen:
            let bound = ConfidenceInterval(0, of: since).high.percent
            let last = since == evidence.runs ? "" : "the last "
            return "not seen to flake in \(last)\(since.of("run")) (below \(bound)): it can go"
        case .removed:
            return "the newest run did not enter it: it was removed, or its tests did not run"
        }
    }
}

/// A mark's counts over many runs; encoded as JSON.
struct Evidence: Hashable, Encodable {
    /// The number of runs that entered it.
    var runs = 0
    /// The number of these in which it flaked.
    var flakedRuns = 0
    /// The number of runs that entered it since its last flake; all, if it never flaked.
    var runsSinceFlake = 0
    /// The number of attempts that entered it: a run has several if several tests do, or one is retried.
    var attempts = 0
    /// The number of attempts that flaked because of it, or would have if the run's mode had allowed flakes.
    var flakes = 0
    /// The number of attempts that failed in it because no retry was left.
    var failures = 0

    /// The part of the runs that have a flake of it.
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
        attempts = marks.reduce(0) { $0 + $1.count.runs }
        flakes = marks.reduce(0) { $0 + $1.count.flakes }
        failures = marks.reduce(0) { $0 + $1.count.failures }
    }
}
