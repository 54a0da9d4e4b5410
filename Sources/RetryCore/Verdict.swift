import Foundation
import RetryReport

/// What becomes of a failure.
package enum Verdict: Hashable, Sendable {
    /// Suppressed by this section, and the test is run again.
    case flake(Section)
    /// Suppressed, because it is only a consequence of a flake of the same attempt.
    case aftermath
    /// Recorded, because a setting forbids this section's flake.
    case refused(Section, Refusal)
    /// Recorded as the test framework would. `usedUp` is the section that would have suppressed it with more retries.
    case real(usedUp: Section? = nil)

    /// The setting that forbids the flake.
    package enum Refusal: Hashable, Sendable {
        case strict
        case limit(Int)
    }

    var isReal: Bool { if case .real = self { true } else { false } }

    /// The test framework does not get the failure.
    package var isSuppressed: Bool { if case .refused = self { false } else { !isReal } }

    /// The words to add to the failure's message when it is recorded.
    package var explanation: String {
        guard case .refused(_, .limit(let limit)) = self else { return "" }
        return " (in a flaky section, but not retried: RETRYABLE_MAX_FLAKES=\(limit) is reached)"
    }
}

/// The facts that decide about a failure.
struct FailureContext {
    var failure: Failure
    /// The sections around the failure, innermost first.
    var sections: [Section]
    /// The number of attempts before the one that failed.
    var retryCount: Int
    var outcome: AttemptRecord.Outcome
    /// The attempt's phase; ``Attempt/Phase/stopped`` if the test should have ended at its first failure.
    var phase: Attempt.Phase
    var canRunAgain: Bool
    /// If the attempt has flaked, the failure is only a consequence.
    var isExplained: Bool
    var settings: RunSettings
    /// The number of other attempts in this process that have flaked.
    var otherFlakes: Int

    /// If two rules meet: a real failure beats a flake, because after one the test cannot recover, so nothing else that the
    /// attempt records may be suppressed; aftermath beats a second flake, because it is only a consequence of the first.
    var verdict: Verdict {
        if outcome.isFailure || phase == .ended { return .real(usedUp: nil) }
        if outcome == .flaked, phase == .stopped || isExplained { return .aftermath }
        guard canRunAgain, let holder = sections.first(where: { retryCount < retries($0) }) else {
            return .real(usedUp: usedUp)
        }
        if settings.isStrict { return .refused(holder, .strict) }
        if let limit = settings.maxFlakes, otherFlakes >= limit { return .refused(holder, .limit(limit)) }
        return .flake(holder)
    }

    /// Of the sections whose retries are used up, the one that allowed the most; on a tie, the innermost.
    private var usedUp: Section? {
        sections.filter { 1 <= retries($0) && retries($0) <= retryCount }.max { retries($0) < retries($1) }
    }

    /// The retries that a section allows for this failure.
    private func retries(_ section: Section) -> Int {
        guard let matching = section.mark.matching else { return section.mark.maxRetryCount }
        let matches = failure.message.contains(matching) || failure.frameworkMessage?.contains(matching) == true
        return matches ? section.mark.maxRetryCount : 0
    }
}
