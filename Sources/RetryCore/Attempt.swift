import Groundwork
import RetryReport

/// One attempt of one test, while it runs: its open sections and what went wrong so far.
///
/// Tests fail from any thread and from any task, so all of it is behind one lock.
package final class Attempt: Sendable {
    /// The number of attempts before this one.
    package let retryCount: Int
    /// `false` for a test run outside of any suite: there is no later point at which to retry it.
    let canRunAgain: Bool
    let process: ProcessContext
    let sharedProgress = SharedProgress.current
    /// The slot in the memory of a supervised process of Swift Testing; `nil` elsewhere.
    package let slot: AttemptSlots.Slot?
    let state: Locked<State>

    struct State {
        var phase = Phase.setUp
        /// The attempt as it is reported, but for its times; of its failures, the first real one comes first.
        var record: AttemptRecord
        var flake: Flake?
        /// The flake has been taken to be announced: reported, and then shown.
        var isAnnounced = false
        /// It has one of the flakes that `RETRYABLE_MAX_FLAKES` allows the process.
        var isCounted = false
        /// The section that failed the attempt: its retries were used up, or the settings refused one.
        var failedIn: Section?
        /// The test's `didFlake()`. While it runs, what fails outside of sections is real, even if the test should have stopped.
        var didFlake = Callback.ahead
        /// A failure that was noted as refused, so that ``noteReal(_:)`` does not note it again.
        var refused: Failure?
        /// The test method ran to its end. Only then can the attempt have passed.
        var hasReturned = false
        /// The real error that ended the test method; its verdict is gone once XCTest has reported it.
        var methodError: (failure: Failure, pendingVerdict: Verdict?)?
        /// The newest open section, which is linked to the older ones.
        unowned(unsafe) var newestOpen: OpenSection?
        var entered: [Section: SectionResult] = [:]
        var lastEntered: Section?
        var errors = ErrorsThatLeft()
        var hasRetriedStep = false
    }

    enum Callback { case ahead, running, over }

    /// The part of a test that runs. Only XCTest on Linux shows where `setUp` ends; elsewhere `setUp` includes the method.
    package enum Phase: Comparable, Sendable {
        case setUp, method
        /// The test has flaked and should stop at its first failure; it is not tearing down yet.
        case stopped
        case tearDown, verification, ended
    }

    package init(
        retryCount: Int,
        canRunAgain: Bool = true,
        process: ProcessContext = .shared,
        slot: AttemptSlots.Slot? = nil
    ) {
        self.retryCount = retryCount
        self.slot = slot
        self.canRunAgain = canRunAgain
        self.process = process
        let record = AttemptRecord(number: retryCount + 1, outcome: .passed, startedAt: .distantPast, duration: 0)
        state = Locked(State(record: record))
    }

    /// The first flake of this attempt.
    package var flake: Flake? { state.withLock { $0.flake } }

    /// The section that failed the attempt; if none did, the section of its first flake.
    var section: Section? { state.withLock { $0.failedIn ?? $0.flake?.section } }

    package var record: AttemptRecord { state.withLock { $0.record } }

    package func change(_ body: (inout AttemptRecord) -> Void) {
        state.withLock { body(&$0.record) }
    }

    /// Something failed that was not suppressed, or a retry was skipped.
    package var hasFailed: Bool { state.withLock { $0.record.outcome.isFailure } }

    /// The attempt flaked, and nothing in it failed for real.
    package var needsRetry: Bool { state.withLock { $0.record.outcome == .flaked } }

    package var isToStop: Bool { state.withLock { $0.phase == .stopped && $0.record.outcome == .flaked } }

    /// Takes the flake that has yet to be announced; `nil` if there is none, or if the attempt has failed.
    package func takeUnannounced() -> Flake? {
        state.withLock { state in
            guard state.record.outcome == .flaked, !exchange(&state.isAnnounced, with: true) else { return nil }
            return state.flake
        }
    }

    package var hasRetriedStep: Bool {
        get { state.withLock { $0.hasRetriedStep } }
        set { state.withLock { $0.hasRetriedStep = newValue } }
    }

    package var hasReturned: Bool { state.withLock { $0.hasReturned } }

    package var hasEnded: Bool { state.withLock { $0.phase == .ended } }

    package var hasEnteredSection: Bool { state.withLock { $0.lastEntered != nil } }

    // MARK: - The test's progress

    /// Enters a phase; phases never go back.
    ///
    /// - Returns: `false` if the attempt had already reached the phase.
    @discardableResult
    package func advance(to phase: Phase) -> Bool {
        state.withLock { state in
            defer { state.phase = max(state.phase, phase) }
            return state.phase < phase
        }
    }

    package func methodReturned() {
        state.withLock { $0.hasReturned = true }
    }

    /// Notes a real error that ended the test method. Even if its failure is dropped, the attempt has not passed.
    package func methodThrew(_ failure: Failure, _ verdict: Verdict) {
        state.withLock { $0.methodError = (failure, verdict) }
    }

    package var methodError: Failure? { state.withLock { $0.methodError?.failure } }

    /// Returns the verdict on the error that ended the test method, once.
    package func takePendingVerdict() -> Verdict? {
        state.withLock { $0.methodError?.pendingVerdict.take() }
    }

    /// Fails the attempt regardless of sections: a mark is bad, or the attempt has not shown that the test passes.
    package func fail(with failure: Failure? = nil, wasSkipped: Bool = false) {
        state.withLock { $0.fail(as: wasSkipped ? .skipped : .failed, with: failure) }
    }

    /// Notes in the slot that the attempt has ended.
    package func endSlot(_ stage: AttemptSlots.Stage) { state.withLock { _ in slot?.end(stage) } }

    /// Ends the attempt, after which whatever fails is real, and returns the sections that were entered.
    package func end() -> [Section: SectionResult] {
        releaseErrors()
        return state.withLock { state in
            state.phase = .ended
            // A predicted flake did not come, so another attempt may have its place under the limit.
            if state.flake == nil, exchange(&state.isCounted, with: false) { process.changeCounts { $0.flakes -= 1 } }
            return state.entered
        }
    }
}

extension AttemptRecord.Outcome {
    /// A final outcome other than passed.
    var isFailure: Bool { self == .failed || self == .skipped }
}

// MARK: - Judging

extension Attempt {
    /// Decides about a failure, and commits the decision.
    ///
    /// - Parameters:
    ///   - sections: The sections that the failure is inside of, innermost first.
    ///   - isExplained: If the attempt has flaked, the failure is only a consequence.
    ///   - stopsAtFailure: `continueAfterFailure` is `false` now.
    package func judge(
        _ failure: Failure,
        in sections: [Section],
        isExplained: Bool = false,
        stopsAtFailure: Bool = false
    ) -> Verdict {
        let verdict = state.withLock { state in
            let verdict = decide(failure, in: sections, isExplained: isExplained, &state)
            commit(failure, verdict, &state)
            if case .flake = verdict, stopsAtFailure { state.phase = max(state.phase, .stopped) }
            return verdict
        }
        // XCTest's assertions report an error that they caught in these words.
        if verdict.isReal, sections.isEmpty, let error = lastErrorOfPhase,
            failure.message.contains(" threw error \"\(error)\"")
        {
            log("an assertion caught an error like a section's: call first, then assert\(failure.atPlace)")
        }
        return verdict
    }

    /// Predicts the verdict on a failure that has yet to be judged. It commits nothing, but a flake reserves its place under
    /// the limit.
    package func predict(_ failure: Failure, in sections: [Section], isExplained: Bool = false) -> Verdict {
        state.withLock { decide(failure, in: sections, isExplained: isExplained, &$0) }
    }

    /// Suppresses a failure in this section if that can hold it. Commits the section's flake, and its refusal.
    ///
    /// Swift Testing asks the innermost section first, and may ask twice, so an equal failure in it is noted once.
    ///
    /// - Returns: `false` if the failure is not this section's, or is recorded.
    package func suppress(_ failure: Failure, in open: OpenSection) -> Bool {
        state.withLock { state in
            guard open.isOpen else { return false }
            let verdict = decide(failure, in: [open.section], &state)
            switch verdict {
            case .flake: if open.held.insert(failure).inserted { commit(failure, verdict, &state) }
            case .refused: commit(failure, verdict, &state)
            case .aftermath, .real: return false
            }
            return verdict.isSuppressed
        }
    }

    /// Notes a failure that no section holds.
    package func noteReal(_ failure: Failure) {
        let sections = sectionsHere()
        state.withLock { state in
            // A refused failure is noted already, and Swift Testing may ask twice about one error.
            let isError = failure.kind == .error && state.record.outcome.isFailure
            if state.refused == failure || isError && state.record.failures.last == failure {
                state.refused = nil
                return
            }
            let verdict = decide(failure, in: sections, &state)
            commit(failure, verdict.isReal ? verdict : .real(), &state)
        }
    }

    /// Decides about a failure. An attempt's first flake takes a place under the limit, which no other attempt can take then, and the
    /// parent of a supervised process knows of it.
    private func decide(
        _ failure: Failure,
        in sections: [Section],
        isExplained: Bool = false,
        _ state: inout State
    ) -> Verdict {
        process.changeCounts { counts in
            let verdict = FailureContext(
                failure: failure,
                sections: sections,
                retryCount: retryCount,
                outcome: state.record.outcome,
                phase: state.didFlake == .running && sections.isEmpty ? .method : state.phase,
                canRunAgain: canRunAgain,
                isExplained: isExplained,
                settings: process.settings,
                otherFlakes: counts.flakes - (state.isCounted ? 1 : 0)
            ).verdict
            if case .flake(let section) = verdict, !exchange(&state.isCounted, with: true) {
                // First, because a supervised process may die in between, and then the next one would count the flake again.
                let flake = Flake(section: section, failure: failure)
                sharedProgress?.write(flake, of: self)
                slot?.write(flake)
                counts.flakes += 1
            }
            return verdict
        }
    }

    private func commit(_ failure: Failure, _ verdict: Verdict, _ state: inout State) {
        if !verdict.isSuppressed { slot?.noteFailure() }
        var failure = failure
        switch verdict {
        case .flake(let section):
            state.entered[section]?.hasFlaked = true
            state.record.outcome = .flaked
            if state.flake == nil { state.flake = Flake(section: section, failure: failure) }
        case .aftermath:
            failure.isAftermath = true
        case .refused(let section, let refusal):
            state.entered[section]?.hasFlaked = true
            state.refused = failure
            process.count(refusal == .strict ? \.strictFailures : \.beyondLimit)
            return state.fail(with: failure, in: section)
        case .real(let usedUp):
            if let usedUp { state.entered[usedUp]?.hasFailed = true }
            return state.fail(with: failure, in: usedUp)
        }
        state.record.failures.append(failure)
    }
}

extension Attempt.State {
    /// Fails the attempt for good. The first failure that does so is put before all others.
    fileprivate mutating func fail(
        as outcome: AttemptRecord.Outcome = .failed,
        with failure: Failure?,
        in section: Section? = nil
    ) {
        let isFirst = !record.outcome.isFailure
        if isFirst { (record.outcome, failedIn) = (outcome, section) }
        if let failure { record.failures.insert(failure, at: isFirst ? 0 : record.failures.count) }
    }
}
