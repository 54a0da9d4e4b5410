import Groundwork
import RetryReport

/// One attempt of one test, while it runs: its open sections and what went wrong so far.
///
/// Tests fail from any thread and from any task, so all of it is behind one lock.
package final class Attempt: Sendable {
    /// The number of attempts before this one.
    package let retryCount: Int
    /// `false` for a test that no suite runs: there is nothing after which to run it again.
    let canRunAgain: Bool
    let run: ProcessRun
    let sharedRun = SharedRun.current
    let state = Locked(State())

    struct State {
        var phase = Phase.setUp
        var outcome = AttemptRecord.Outcome.passed
        /// All that went wrong, suppressed or not: the first real failure, then the others in their order.
        var failures: [Failure] = []
        var flake: Flake?
        /// The section in which the test failed because its retries were used up.
        var usedUp: Section?
        /// The test method ran to its end. Only then can the attempt have passed.
        var hasReturned = false
        /// The real error that ended the test method, and the verdict on it, until XCTest reports it.
        var methodError: (failure: Failure, pendingVerdict: Verdict?)?
        /// The newest open section, which is linked to the older ones.
        unowned(unsafe) var newestOpen: OpenSection?
        var entered: [Section: SectionResult] = [:]
        var lastEntered: Section?
        var errors = ErrorsThatLeft()
        var machine: MachineLoad?
    }

    /// The part of a test that runs. Where the framework does not show when `setUp` ends, the method counts as part of it.
    package enum Phase: Comparable, Sendable {
        case setUp, method
        /// The test has flaked and should stop at its first failure; it is not tearing down yet.
        case stopped
        case tearDown, verification, ended
    }

    package init(retryCount: Int, canRunAgain: Bool = true, run: ProcessRun = .shared) {
        self.retryCount = retryCount
        self.canRunAgain = canRunAgain
        self.run = run
    }

    /// The first flake of this attempt.
    package var flake: Flake? { state.withLock { $0.flake } }

    /// The section in which it failed or, if it did not, flaked.
    var section: Section? { state.withLock { $0.usedUp ?? $0.flake?.section } }

    /// All that went wrong so far, suppressed or not.
    package var failures: [Failure] { state.withLock { $0.failures } }

    package var outcome: AttemptRecord.Outcome { state.withLock { $0.outcome } }

    /// Something failed that was not suppressed.
    package var hasFailed: Bool { outcome.isFailure }

    /// The attempt flaked, and nothing in it failed for real.
    package var needsRetry: Bool { outcome == .flaked }

    /// The test has flaked and should stop at its first failure; it is not tearing down yet.
    package var isToStop: Bool { state.withLock { $0.phase == .stopped && $0.outcome == .flaked } }

    /// The look at the machine right after the flake.
    package var machine: MachineLoad? {
        get { state.withLock { $0.machine } }
        set { state.withLock { $0.machine = newValue } }
    }

    /// The test method ran to its end.
    package var hasReturned: Bool { state.withLock { $0.hasReturned } }

    package var hasEnded: Bool { state.withLock { $0.phase == .ended } }

    /// A section was opened in it.
    package var hasEnteredSection: Bool { state.withLock { $0.lastEntered != nil } }

    // MARK: - The test's progress

    /// Begins a phase; phases never go back.
    ///
    /// - Returns: `false` if the attempt had already reached the phase.
    @discardableResult
    package func begin(_ phase: Phase) -> Bool {
        state.withLock { state in
            defer { state.phase = max(state.phase, phase) }
            return state.phase < phase
        }
    }

    /// Notes that the test method ran to its end.
    package func methodReturned() {
        state.withLock { $0.hasReturned = true }
    }

    /// Notes a real error that ended the test method. Even if its failure is dropped, the attempt has not passed.
    package func methodThrew(_ failure: Failure, _ verdict: Verdict) {
        state.withLock { $0.methodError = (failure, verdict) }
    }

    /// The real error that ended the test method.
    package var methodError: Failure? { state.withLock { $0.methodError?.failure } }

    /// Returns the verdict on the error that ended the test method, once.
    package func takePendingVerdict() -> Verdict? {
        state.withLock { $0.methodError?.pendingVerdict.take() }
    }

    /// Fails the attempt in spite of all sections: a mark is bad, or the attempt has not shown that the test passes.
    package func fail(with failure: Failure? = nil, wasSkipped: Bool = false) {
        state.withLock { state in
            let isFirst = !state.outcome.isFailure
            if isFirst { state.outcome = wasSkipped ? .skipped : .failed }
            if let failure { state.failures.insert(failure, at: isFirst ? 0 : state.failures.count) }
        }
    }

    /// Ends the attempt, after which whatever fails is real, and returns the sections that were entered.
    package func end() -> [Section: SectionResult] {
        releaseErrors()
        return state.withLock { state in
            state.phase = .ended
            return state.entered
        }
    }
}

extension AttemptRecord.Outcome {
    /// Neither passed nor to be run again.
    var isFailure: Bool { self == .failed || self == .skipped }
}

// MARK: - Judging

extension Attempt {
    /// Notes a failure and decides about it.
    ///
    /// - Parameters:
    ///   - sections: The sections that the failure is inside of, innermost first.
    ///   - stopsAtFailure: `continueAfterFailure` is `false` now.
    ///   - isOfUnwaitedExpectation: An expectation was not waited for, which an error that cut the method short explains.
    package func judge(
        _ failure: Failure,
        in sections: [Section],
        stopsAtFailure: Bool = false,
        isOfUnwaitedExpectation: Bool = false
    ) -> Verdict {
        let verdict = state.withLock { state in
            let context = FailureContext(
                holder: sections.first { canHold(failure, in: $0) },
                outcome: state.outcome,
                phase: state.phase,
                canRunAgain: canRunAgain,
                isExplained: isOfUnwaitedExpectation && !state.hasReturned
            )
            let verdict = note(failure, context.verdict, in: sections, &state)
            if case .flake = verdict, stopsAtFailure { state.phase = max(state.phase, .stopped) }
            return verdict
        }
        // XCTest's assertions have these words for an error that they catch.
        if verdict == .real, sections.isEmpty, let error = lastErrorOfPhase,
            failure.message.contains(" threw error \"\(error)\"")
        {
            log("an assertion caught an error like a section's: call first, then assert\(failure.atPlace)")
        }
        return verdict
    }

    /// Predicts whether a failure will be suppressed, and notes nothing.
    package func suppresses(_ failure: Failure, in sections: [Section]) -> Bool {
        let holder = sections.first { canHold(failure, in: $0) }
        return !run.settings.isStrict
            && state.withLock { state in
                FailureContext(holder: holder, outcome: state.outcome, phase: state.phase).verdict.ending == nil
            }
    }

    /// The section has retries left for this failure.
    private func canHold(_ failure: Failure, in section: Section) -> Bool {
        retryCount < section.mark.retries(ofFailureSaying: failure.message)
    }

    /// Decides whether a section holds a failure, and notes it if it does.
    ///
    /// Swift Testing may ask twice about one failure, so an equal one in the same open section is noted once.
    package func holds(_ failure: Failure, in open: OpenSection) -> Bool {
        let section = open.section
        let holder = canHold(failure, in: section) ? section : nil
        return state.withLock { state in
            let verdict = FailureContext(holder: holder, outcome: state.outcome, phase: state.phase).verdict
            guard open.isOpen, verdict == .flake(section) else { return false }
            guard open.held.insert(failure).inserted else { return true }
            return note(failure, verdict, in: [section], &state) == verdict
        }
    }

    /// Notes a failure that no section holds.
    package func noteReal(_ failure: Failure) {
        let sections = sectionsHere()
        state.withLock { state in
            // A failure that the run's settings refused to a section is noted already.
            if state.outcome.isFailure, [state.failures.first, state.failures.last].contains(failure) { return }
            _ = note(failure, .real, in: sections, &state)
        }
    }

    private func note(
        _ failure: Failure,
        _ verdict: Verdict,
        in sections: [Section],
        _ state: inout State
    ) -> Verdict {
        var (failure, verdict) = (failure, verdict)
        let hadFailed = state.outcome.isFailure
        if case .flake(let section) = verdict {
            state.entered[section]?.hasFlaked = true
            if state.flake == nil, let ending = run.refusal() { verdict = .refused(ending: ending) }
        }
        switch verdict {
        case .flake(let section):
            state.outcome = .flaked
            if state.flake == nil {
                state.flake = Flake(section: section, failure: failure)
                sharedRun?.write(flaked: section, of: self)
            }
        case .aftermath:
            failure.isAftermath = true
        case .refused:
            state.outcome = .failed
        case .real:
            guard !state.outcome.isFailure else { break }
            state.outcome = .failed
            let usedUp = sections.first { section in
                let retries = section.mark.retries(ofFailureSaying: failure.message)
                return retries > 0 && retries <= retryCount
            }
            if let usedUp, state.phase != .ended {
                state.usedUp = usedUp
                state.entered[usedUp]?.hasFailed = true
            }
        }
        state.failures.insert(failure, at: state.outcome.isFailure && !hadFailed ? 0 : state.failures.count)
        return verdict
    }
}
