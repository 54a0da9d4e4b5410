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
