import RetryReport

/// The treatment of a failure.
package enum Verdict: Hashable, Sendable {
    /// Suppressed by this section, and the test is run again.
    case flake(Section)
    /// Suppressed, because it is only a consequence of a flake of the same attempt.
    case aftermath
    /// Recorded as the test framework would.
    case real
    /// Recorded with this ending: a flake that the run's settings do not allow.
    case refused(ending: String)

    /// The words to add to a failure's message when it is recorded; `nil` if the failure is suppressed.
    package var ending: String? {
        switch self {
        case .flake, .aftermath: nil
        case .real: ""
        case .refused(let ending): ending
        }
    }
}

/// The facts that decide about a failure.
struct FailureContext: Hashable {
    /// The innermost section around the failure whose mark has retries left for it.
    var holder: Section?
    /// The outcome of the attempt so far.
    var outcome = AttemptRecord.Outcome.passed
    var phase = Attempt.Phase.method
    /// `false` for a test that no suite runs: there is nothing after which to run it again.
    var canRunAgain = true
    /// The failure is explained by an error that cut the test method short.
    var isExplained = false

    /// The verdict, as far as the run's settings allow it.
    ///
    /// If two rules meet: a real failure beats a flake, because an attempt that failed is not run again, so nothing
    /// that it records may be suppressed; aftermath beats a second flake, because the test should not have got there.
    var verdict: Verdict {
        if outcome.isFailure || phase == .ended { return .real }
        if outcome == .flaked, phase == .stopped || isExplained { return .aftermath }
        guard let holder, canRunAgain else { return .real }
        return .flake(holder)
    }
}
