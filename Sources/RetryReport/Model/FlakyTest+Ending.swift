import Groundwork

/// How tests ended, in the same words wherever a person reads of it.
extension FlakyTest {
    /// The attempts that were made.
    package var attemptCount: Int { attemptedRetries + 1 }
    /// The attempts that the mark allows.
    package var allowedAttempts: Int { maxRetriesAllowed + 1 }

    package var markName: String { fixable ? "fixable" : "not fixable" }

    /// The end of a test that flaked, for each format to show in its own form.
    ///
    /// The description is the sentence that people read.
    package enum Ending: Hashable, Sendable, CustomStringConvertible {
        /// It passed on this attempt.
        case recovered(attempt: Int, allowed: Int)
        /// No attempt passed.
        case failed(attempts: Int)
        /// It flaked on this attempt, after which its process ended, or still runs.
        case pending(attempt: Int, allowed: Int)
        /// The report does not say.
        case unknown(attempts: Int)

        package var description: String {
            switch self {
            case .recovered(let attempt, let allowed): "passed on attempt \(attempt) of \(allowed)"
            case .failed(let attempts): "failed, \(attempts.of("attempt"))"
            case .pending(let attempt, let allowed):
                "flaked on attempt \(attempt) of \(allowed), and its process ended before the next"
            case .unknown(let attempts): "\(attempts.of("attempt")), and it is not known how they ended"
            }
        }
    }

    /// The outcome, with the attempts made and allowed.
    package var ending: Ending {
        switch outcome {
        case .recovered: .recovered(attempt: attemptCount, allowed: allowedAttempts)
        case .failed: .failed(attempts: attemptCount)
        case .pending: .pending(attempt: attemptCount, allowed: allowedAttempts)
        case nil: .unknown(attempts: attemptCount)
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
