import Groundwork
import RetryReport

/// One attempt of one test, while it runs: its open sections and what went wrong so far.
///
/// Tests fail from any thread and from any task, so all of it is behind one lock.
package final class Attempt: Sendable {
    /// How many attempts came before this one.
    package let retryCount: Int
    let state = Locked(State())
    let witness = RunWitnesses.current

    struct State {
        /// What runs the test.
        var ownFlow: TaskOrThread?
        /// Whether the next task that opens a section is taken for what runs the test.
        var adoptsNextTask = false
        /// In the order in which they were opened.
        var openSections: [OpenSection] = []
        /// All that were entered, in the order in which they first were.
        var entered: [EnteredSection] = []
        /// The number of the section that was opened last; 0 before the first.
        var lastSection: OpenSection.ID = 0
        /// All that went wrong, suppressed or not.
        var failures: [Failure] = []
        var flake: Flake?
        var hasFailed = false
        /// Errors on their way out of the test, the last one last.
        var escapes: [ThrownError] = []
        /// Whether anything else has happened since the last of them.
        var hasMovedOn = false
        var method = Method.ahead
        /// Whether an error that flaked ended the test method, which then explains what is missing at its end.
        var wasCutShort = false
        var wasSkipped = false
        /// Whether ``settle()`` has been called.
        var isSettled = false
        /// Whether the run is over, so that nothing can be put off to a retry any more.
        var hasEnded = false
    }

    /// How far a test method has come.
    package enum Method: Hashable, Sendable {
        /// It has not run, or is running.
        case ahead
        /// It ran to its end. Only then can the attempt have passed.
        case returned
        /// An error ended it: the failure that the error is; `nil` if it is none, such as a skip.
        case threw(Failure?)
    }

    /// - Parameter retryCount: How many attempts came before this one.
    package init(retryCount: Int) {
        self.retryCount = retryCount
    }

    /// The first flake of this attempt.
    package var flake: Flake? { state.withLock { $0.flake } }

    /// Whether anything failed that was not suppressed.
    package var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// All that went wrong so far, suppressed or not.
    package var failures: [Failure] { state.withLock { $0.failures } }

    /// Whether the test is to be run again after this attempt: it flaked, and nothing in it failed for real.
    package var needsRetry: Bool { state.withLock { $0.flake != nil && !$0.hasFailed } }

    /// Whether a test that should stop at its first failure is to be stopped now: it flaked, and its method is not over.
    package var isToStop: Bool { state.withLock { $0.flake != nil && !$0.hasFailed && $0.method == .ahead } }

    /// How far the test method has come.
    package var method: Method { state.withLock { $0.method } }

    /// Whether the run is over.
    package var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// What the attempt has come to so far.
    package var outcome: AttemptRecord.Outcome {
        state.withLock { state in
            if state.hasFailed { return state.wasSkipped ? .skipped : .failed }
            return state.flake == nil ? .passed : .flaked
        }
    }

    /// Whether a section was opened in it.
    package var hasComeToSection: Bool { state.withLock { !$0.entered.isEmpty } }

    /// The test method is over; what comes now tears down.
    package func endMethod(_ end: Method) {
        state.withLock { $0.method = end }
    }

    /// The test method was ended by an error that flaked, or by what stopped it after a flake.
    package func cutShort() {
        state.withLock { state in
            state.wasCutShort = true
            state.method = .threw(nil)
        }
    }

    /// The attempt fails because it was skipped.
    package func skip() {
        state.withLock { $0.wasSkipped = true }
    }

    /// Begins to decide whether the attempt shows that the test passes.
    ///
    /// - Returns: Whether this is the first call; only the first decides.
    package func settle() -> Bool {
        state.withLock { state in
            defer { state.isSettled = true }
            return !state.isSettled
        }
    }

    /// The run is over: nothing can be put off to a retry any more.
    ///
    /// - Returns: The sections that the attempt has entered.
    package func end() -> [EnteredSection] {
        state.withLock { state in
            state.hasEnded = true
            return state.entered
        }
    }
}
