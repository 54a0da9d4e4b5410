import Groundwork

/// How tests ended, in the same words wherever a person reads of it.
extension FlakyTest {
    /// The attempts that were made.
    package var attemptCount: Int { attemptedRetries.plausible + 1 }
    /// The attempts that the mark allows.
    package var allowedAttempts: Int { maxRetriesAllowed.plausible + 1 }

    package var markName: String { fixable ? "fixable" : "not fixable" }

    /// How it ended, with attempts made and allowed.
    package var ending: String {
        switch outcome {
        case .recovered: "passed on attempt \(attemptCount) of \(allowedAttempts)"
        case .failed: "failed, \(attemptCount.of("attempt"))"
        case .pending: "flaked on attempt \(attemptCount) of \(allowedAttempts), and its process ended before the next"
        case nil: "\(attemptCount.of("attempt")), and it is not known how they ended"
        }
    }
}

extension [FlakyTest] {
    /// Such as `5 flaky, 2 failed`, without counts that are 0; empty if there are no tests.
    ///
    /// - Parameter unmarked: Tests that failed and are not among these.
    package func endings(unmarked: Int = 0) -> String {
        let kinds: [(outcome: FlakyTest.Outcome?, words: String)] = [
            (.recovered, "flaky"), (.failed, "failed"), (.pending, "pending"), (nil, "of unknown outcome"),
        ]
        return kinds.compactMap { outcome, words in
            let count = count { $0.outcome == outcome } + (outcome == .failed ? unmarked : 0)
            return count == 0 ? nil : "\(count) \(words)"
        }.joined(separator: ", ")
    }

    /// Those that ended worst first; else in this order.
    package var worstFirst: [FlakyTest] {
        let order: [FlakyTest.Outcome?] = [.failed, .pending, nil, .recovered]
        return order.flatMap { outcome in filter { $0.outcome == outcome } }
    }
}
