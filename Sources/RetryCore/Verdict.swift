import RetryReport

/// The treatment of a failure.
package enum Verdict: Hashable, Sendable {
    /// Suppressed, and the test is run again.
    case flake
    /// Suppressed, because it is only a consequence of a flake of the same attempt.
    case aftermath
    /// Recorded as the test framework would.
    case real
    /// Recorded, where it would have been a flake had the run's settings allowed it.
    case refused(Refusal)

    /// The words to add to a failure's message when it is recorded; `nil` if the failure is suppressed.
    package var ending: String? {
        switch self {
        case .flake, .aftermath: nil
        case .real, .refused(.strict): ""
        case .refused(.limit(let limit)):
            " (in a flaky section, but not retried: RETRYABLE_MAX_FLAKES=\(limit) is reached)"
        }
    }
}

/// The reason why a flake may not be suppressed.
package enum Refusal: Hashable, Sendable {
    /// The run treats sections as if they were not marked.
    case strict
    /// This many flakes have been suppressed in this process; something bigger is wrong.
    case limit(Int)
}

/// The facts that decide about a failure.
package struct FailureContext: Hashable, Sendable {
    /// A section around the failure can hold it: its mark has retries left for it.
    package var isHeld = false
    /// Something runs the test after which it can be run again.
    package var canRunAgain = true
    /// This attempt has a real failure already, or has ended.
    package var isLost = false
    /// This attempt has flaked already.
    package var hasFlaked = false
    /// The test should have stopped at its flake (`continueAfterFailure` was `false`), and is not tearing down yet.
    package var isAfterStop = false
    /// The failure is explained by an error that flaked and cut the test method short.
    package var isExplained = false

    package init() {}

    /// The verdict, as far as the run's settings allow it.
    ///
    /// If two rules meet: a real failure beats a flake, because an attempt that failed is not run again, so nothing
    /// that it records may be suppressed; aftermath beats a second flake, because the test should not have got there.
    package var verdict: Verdict {
        if isLost { return .real }
        if hasFlaked, isAfterStop || isExplained { return .aftermath }
        return isHeld && canRunAgain ? .flake : .real
    }
}

/// A suppressed failure, and the section that suppressed it.
package struct Flake: Sendable {
    package var section: Section
    package var failure: Failure

    package init(section: Section, failure: Failure) {
        self.section = section
        self.failure = failure
    }

    /// The failure's place; the section's if the test framework gave none.
    package var place: Place {
        Place(file: failure.file ?? section.place.file, line: failure.line ?? section.place.line)
    }
}

extension Failure {
    /// A failure that Retryable itself finds.
    package init(_ message: String, at place: Place) {
        self.init(message: message, file: place.file, line: place.line, kind: .assertion)
    }

    /// An error of which no place is known.
    package init(unplaced message: String) {
        self.init(message: message, file: nil, line: nil, kind: .error)
    }
}
