import RetryReport

extension Attempt {
    /// Takes note of a failure and says what becomes of it.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - sections: The sections that it is inside of, innermost first; `nil` if they are those in which this is called.
    ///   - stopsAtFailure: Whether the test should have stopped at its first failure.
    ///   - isOfUnwaitedExpectation: Whether it tells of an expectation that nobody waited for.
    ///   - canRunAgain: Whether something runs the test after which it can be run again. Asked only if it matters.
    ///   - refusal: Why the run's mode allows no further flake. Asked only for the first flake of an attempt.
    package func judge(
        _ failure: Failure,
        in sections: [Section]? = nil,
        stopsAtFailure: Bool = false,
        isOfUnwaitedExpectation: Bool = false,
        canRunAgain: () -> Bool = { true },
        refusal: () -> Refusal? = { nil }
    ) -> Verdict {
        state.withLock { state in
            if state.hasEnded {
                state.hasFailed = true
                state.failures.append(failure)
                return .real
            }
            let sections = sections ?? state.sectionsHere()
            var circumstances = Circumstances()
            circumstances.allowedRetries = sections.map { $0.mark.retries(ofFailureSaying: failure.message) }
            circumstances.retryCount = retryCount
            circumstances.hasFailed = state.hasFailed
            circumstances.hasFlaked = state.flake != nil
            circumstances.stopsAtFailure = stopsAtFailure
            circumstances.followsFromCut = state.wasCutShort && isOfUnwaitedExpectation
            if case .flake = circumstances.verdict, state.flake == nil {
                circumstances.canRunAgain = canRunAgain()
                if circumstances.canRunAgain { circumstances.refusal = refusal() }
            }

            var failure = failure
            let verdict = circumstances.verdict
            state.note(verdict, on: circumstances, in: sections)
            switch verdict {
            case .flake(let index) where state.flake == nil:
                state.flake = Flake(section: sections[index], failure: failure)
                witness?.noteFlake(in: sections[index], of: self)
            case .flake: break
            case .aftermath:
                failure.isAftermath = true
            case .real, .refused:
                state.hasFailed = true
            }
            state.failures.append(failure)
            state.hasMovedOn = true
            return verdict
        }
    }

    /// Fails the attempt in spite of all sections: for a bad mark, or because it has not shown that the test passes.
    package func fail(with failure: Failure?) {
        state.withLock { state in
            state.hasFailed = true
            if let failure { state.failures.append(failure) }
        }
    }

    /// The sections that this is called in, innermost first.
    package var sectionsHere: [Section] { state.withLock { $0.sectionsHere() } }

    /// Whether a failure inside of these sections would be suppressed, as far as the marks and this attempt say.
    package func suppresses(_ failure: Failure, in sections: [Section]) -> Bool {
        guard !hasFailed else { return false }
        return flake != nil || sections.contains { retryCount < $0.mark.retries(ofFailureSaying: failure.message) }
    }
}
