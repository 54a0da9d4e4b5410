import Groundwork
import RetryReport

/// One attempt of one test, while it runs: its open sections and what went wrong so far.
///
/// Tests fail from any thread and from any task, so all of it is behind one lock.
package final class Attempt: Sendable {
    /// The number of attempts before this one.
    package let retryCount: Int
    /// Something runs the test after which it can be run again.
    let canRunAgain: Bool
    let run: ProcessRun
    let sharedRun = SharedRun.current
    let state = Locked(State())

    struct State {
        var phase = Phase.setUp
        /// The newest of the open sections, which are linked.
        unowned(unsafe) var newestOpen: OpenSection?
        /// All sections that were entered, in the order in which they first were.
        var entered: [EnteredSection] = []
        var indices: [Section: Int] = [:]
        /// All that went wrong, suppressed or not.
        var failures: [Failure] = []
        var flake: Flake?
        /// `continueAfterFailure` was `false` when the attempt flaked.
        var isStopped = false
        var hasFailed = false
        var wasSkipped = false
        var isVerified = false
        /// The test method ran to its end. Only then can the attempt have passed.
        var hasReturned = false
        /// The real error that ended the test method.
        var methodError: Failure?
        /// The verdict on it, until XCTest reports it.
        var pendingVerdict: Verdict?
        var errors = ErrorsThatLeft()
        var machine: MachineLoad?
    }

    /// The part of a test that runs. Where the framework does not show when `setUp` ends, the method counts as part of it.
    package enum Phase: Comparable, Sendable {
        case setUp, method, tearDown, ended
    }

    package init(retryCount: Int, canRunAgain: Bool = true, run: ProcessRun = .shared) {
        self.retryCount = retryCount
        self.canRunAgain = canRunAgain
        self.run = run
    }

    /// The first flake of this attempt.
    package var flake: Flake? { state.withLock { $0.flake } }

    /// Something failed that was not suppressed.
    package var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// All that went wrong so far, suppressed or not.
    package var failures: [Failure] { state.withLock { $0.failures } }

    /// The attempt flaked, and nothing in it failed for real.
    package var needsRetry: Bool { state.withLock { $0.flake != nil && !$0.hasFailed } }

    /// The test flaked where it should stop at its first failure, and is not tearing down yet.
    package var isToStop: Bool { state.withLock { $0.isStopped && !$0.hasFailed && $0.phase < .tearDown } }

    /// The look at the machine right after the flake.
    package var machine: MachineLoad? {
        get { state.withLock { $0.machine } }
        set { state.withLock { $0.machine = newValue } }
    }

    /// The test method ran to its end.
    package var hasReturned: Bool { state.withLock { $0.hasReturned } }

    package var hasEnded: Bool { state.withLock { $0.phase == .ended } }

    /// A section was opened in it.
    package var hasEnteredSection: Bool { state.withLock { !$0.entered.isEmpty } }

    package var outcome: AttemptRecord.Outcome {
        state.withLock { state in
            if state.hasFailed { return state.wasSkipped ? .skipped : .failed }
            return state.flake == nil ? .passed : .flaked
        }
    }

    // MARK: - The test's progress

    /// Begins a phase; phases never go back.
    package func begin(_ phase: Phase) {
        state.withLock { $0.phase = max($0.phase, phase) }
    }

    /// Notes that the test method ran to its end.
    package func methodReturned() {
        state.withLock { $0.hasReturned = true }
    }

    /// Notes a real error that ended the test method: the attempt has not passed, whoever drops the failure.
    package func methodThrew(_ failure: Failure, _ verdict: Verdict) {
        state.withLock { ($0.methodError, $0.pendingVerdict) = (failure, verdict) }
    }

    /// The real error that ended the test method.
    package var methodError: Failure? { state.withLock { $0.methodError } }

    /// Returns the verdict on the error that ended the test method, once.
    package func takePendingVerdict() -> Verdict? {
        state.withLock { state in
            defer { state.pendingVerdict = nil }
            return state.pendingVerdict
        }
    }

    /// Notes that the attempt is being verified.
    ///
    /// - Returns: `true` for the first call, whose caller decides whether the attempt has passed.
    package func beginVerifying() -> Bool {
        state.withLock { state in
            defer { state.isVerified = true }
            return !state.isVerified
        }
    }

    /// Fails the attempt in spite of all sections: for a bad mark, or because it has not shown that the test passes.
    package func fail(with failure: Failure? = nil, wasSkipped: Bool = false) {
        state.withLock { state in
            state.hasFailed = true
            state.wasSkipped = state.wasSkipped || wasSkipped
            if let failure { state.failures.append(failure) }
        }
    }

    /// Ends the attempt: whatever fails from now on is real.
    ///
    /// - Returns: The sections that were entered.
    package func end() -> [EnteredSection] {
        releaseErrors()
        return state.withLock { state in
            state.phase = .ended
            return state.entered
        }
    }
}

// MARK: - Judging

extension Attempt {
    /// Notes a failure and decides about it.
    ///
    /// - Parameters:
    ///   - sections: The sections that the failure is inside of.
    ///   - stopsAtFailure: `continueAfterFailure` is `false` now.
    ///   - isOfUnwaitedExpectation: An expectation was not waited for, which an error that cut the method short explains.
    package func judge(
        _ failure: Failure,
        in sections: EnclosingSections,
        stopsAtFailure: Bool = false,
        isOfUnwaitedExpectation: Bool = false
    ) -> Verdict {
        state.withLock { state in
            var context = state.context(of: failure, in: sections, retryCount: retryCount)
            context.canRunAgain = canRunAgain
            context.isExplained = isOfUnwaitedExpectation && !state.hasReturned
            return note(failure, context, in: sections, stopsAtFailure: stopsAtFailure, &state)
        }
    }

    /// Predicts whether a failure will be suppressed, and notes nothing.
    package func suppresses(_ failure: Failure, in sections: EnclosingSections) -> Bool {
        guard !run.settings.isStrict else { return false }
        return state.withLock { $0.context(of: failure, in: sections, retryCount: retryCount).verdict.ending == nil }
    }

    /// Returns the innermost of the sections whose mark has retries left for a failure.
    package func holder(of failure: Failure, in sections: EnclosingSections) -> Section? {
        state.withLock { state in
            sections.indices.map { state.entered[$0].section }
                .first { retryCount < $0.mark.retries(ofFailureSaying: failure.message) }
        }
    }

    /// Decides whether a section holds a failure, and notes it if it does.
    ///
    /// Swift Testing may ask twice about one failure, so an equal one in the same open section is noted once.
    package func holds(_ failure: Failure, in section: OpenSection) -> Bool {
        state.withLock { state in
            let sections = EnclosingSections(indices: [section.index])
            let context = state.context(of: failure, in: sections, retryCount: retryCount)
            guard section.isOpen, context.verdict == .flake else { return false }
            if section.held.contains(failure) { return true }
            guard note(failure, context, in: sections, &state) == .flake else { return false }
            section.held.insert(failure)
            return true
        }
    }

    /// Notes a failure that no section holds.
    package func noteReal(_ failure: Failure) {
        let sections = sectionsHere()
        state.withLock { state in
            // A failure that the run's settings refused to a section is noted already.
            if state.hasFailed, state.failures.last == failure { return }
            var context = state.context(of: failure, in: sections, retryCount: retryCount)
            context.canRunAgain = false
            _ = note(failure, context, in: sections, &state)
        }
    }

    private func note(
        _ failure: Failure,
        _ context: FailureContext,
        in sections: EnclosingSections,
        stopsAtFailure: Bool = false,
        _ state: inout State
    ) -> Verdict {
        var verdict = context.verdict
        if verdict == .flake, state.flake == nil, let refusal = run.refusal() { verdict = .refused(refusal) }
        var failure = failure
        func first(where fits: (_ allowed: Int) -> Bool) -> Int? {
            sections.indices.first { fits(state.entered[$0].section.mark.retries(ofFailureSaying: failure.message)) }
        }
        switch verdict {
        case .flake:
            guard let holder = first(where: { retryCount < $0 }) else { break }
            state.entered[holder].hasFlaked = true
            if stopsAtFailure { state.isStopped = true }
            guard state.flake == nil else { break }
            state.flake = Flake(section: state.entered[holder].section, failure: failure)
            sharedRun?.write(flaked: state.entered[holder].section, of: self)
        case .aftermath:
            failure.isAftermath = true
        case .refused:
            if let holder = first(where: { retryCount < $0 }) { state.entered[holder].hasFlaked = true }
            state.hasFailed = true
        case .real:
            if !context.isLost, let used = first(where: { 0 < $0 && $0 <= retryCount }) {
                state.entered[used].hasFailed = true
            }
            state.hasFailed = true
        }
        state.failures.append(failure)
        return verdict
    }
}

extension Attempt.State {
    fileprivate func context(of failure: Failure, in sections: EnclosingSections, retryCount: Int) -> FailureContext {
        var context = FailureContext()
        context.isHeld = sections.indices.contains {
            retryCount < entered[$0].section.mark.retries(ofFailureSaying: failure.message)
        }
        context.isLost = hasFailed || phase == .ended
        context.hasFlaked = flake != nil
        context.isAfterStop = isStopped && phase < .tearDown
        return context
    }
}
