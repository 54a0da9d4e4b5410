/// What a failure becomes.
package enum Verdict: Hashable, Sendable {
    /// Suppressed, and the test is run again, because of the section at this index of ``Circumstances/allowedRetries``.
    case flake(section: Int)
    /// Suppressed, because it is only a consequence of a flake of the same attempt.
    case aftermath
    /// Recorded as the test framework would.
    case real
    /// Recorded, where it would have been a flake had the run's mode allowed it.
    case refused(Refusal)
}

/// Why a flake may not be suppressed.
package enum Refusal: Hashable, Sendable {
    /// The run treats sections as if they were not marked.
    case strict
    /// This many flakes have been suppressed in this process; something bigger is wrong.
    case limit(Int)
}

/// All that decides what a failure becomes.
package struct Circumstances: Hashable, Sendable {
    /// How many retries the marks of the sections allow that the failure is inside of, innermost first.
    package var allowedRetries: [Int] = []
    /// How many attempts came before this one.
    package var retryCount = 0
    /// Whether something runs the test after which it can be run again.
    package var canRunAgain = true
    /// Whether this attempt has a real failure already.
    package var hasFailed = false
    /// Whether this attempt has flaked already.
    package var hasFlaked = false
    /// Whether the test should have stopped at its first failure (`continueAfterFailure` is `false`).
    package var stopsAtFailure = false
    /// Whether the failure is explained by an error that cut the test method short.
    package var followsFromCut = false
    /// Why the run's mode allows no flake, if it does not.
    package var refusal: Refusal?

    package init() {}

    /// What the failure becomes.
    ///
    /// Where two rules meet: a real failure beats a flake, because an attempt that failed is not run again, so nothing
    /// that it records may be suppressed; aftermath beats a second flake, because the test should not have got there.
    package var verdict: Verdict {
        if hasFailed { return .real }
        if hasFlaked, stopsAtFailure || followsFromCut { return .aftermath }
        guard canRunAgain, let section = allowedRetries.firstIndex(where: { retryCount < $0 }) else { return .real }
        if let refusal { return .refused(refusal) }
        return .flake(section: section)
    }
}

extension Verdict {
    /// What a failure's message ends with when it is recorded; `nil` if it is suppressed.
    package var ending: String? {
        switch self {
        case .flake, .aftermath: nil
        case .real, .refused(.strict): ""
        case .refused(.limit(let limit)):
            " (in a flaky section, but not retried: RETRYABLE_MAX_FLAKES=\(limit) is reached)"
        }
    }
}
