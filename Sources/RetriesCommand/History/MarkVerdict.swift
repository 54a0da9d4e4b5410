import Groundwork

/// The next step with a mark, the most urgent first.
enum MarkVerdict: Comparable {
    /// More than half of the attempts that entered it failed in it: that is a defect, not a flake.
    case broken
    case needed
    /// It has run often without a flake, in all or since its last one: it can go.
    case notSeen
    /// It has not flaked, in too few runs to say more.
    case new
    /// The newest run did not enter it.
    case removed

    /// The number of runs without a flake after which a mark can go, unless the user says another. A rate above 3.7 % of the
    /// runs is then excluded with 95 % confidence.
    static let staleAfter = 100

    /// The fewest attempts for ``broken``, and the runs without a flake after which a mark is no longer that.
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

    func reason(_ evidence: Evidence, staleAfter: Int = staleAfter) -> String {
        let since = evidence.runsSinceFlake
        let bad = evidence.flakes + evidence.failures
        let last = since == evidence.runs ? "" : "the last "
        let bound = ConfidenceInterval(0, of: since).high.percent
        return switch self {
        case .broken:
            "flakes more often than not, in \(bad) of \(evidence.attempts.of("attempt")): a defect, not a flake"
        case .needed where since == 0: "flaked in the newest run that entered it"
        case .needed: "flaked \(since.of("run")) ago"
        case .new: "no flake in \(evidence.runs.of("run")), which is too few to say; \(staleAfter) are enough"
        case .notSeen: "not seen to flake in \(last)\(since.of("run")) (below \(bound)): it can go"
        case .removed: "the newest run did not enter it: it was removed, or its tests did not run"
        }
    }
}
