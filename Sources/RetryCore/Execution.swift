import RetryReport

/// One attempt of one test, while it runs: its open sections and what went wrong so far.
///
/// Tests fail from any thread and from any task, so all of it is behind one lock.
package final class Execution: Sendable {
    /// How many attempts came before this one.
    package let retryCount: Int
    let state = Locked(State())

    struct State {
        /// In the order in which they were opened.
        var openSections: [Section] = []
        /// All that went wrong, suppressed or not.
        var failures: [Failure] = []
        var flake: Flake?
        var hasFailed = false
        /// An error on its way out of the test.
        var escape: Escape?
        /// Whether an error that flaked ended the test method, which then explains what is missing at its end.
        var wasCutShort = false
        var hasReturned = false
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

    /// Whether this attempt is one to run again: it flaked, and nothing in it failed for real.
    package var isFlaky: Bool { state.withLock { $0.flake != nil && !$0.hasFailed } }
}

/// A failure for which an attempt is not counted as failed, and the section that it is a flake of.
package struct Flake: Sendable {
    package var section: Section
    package var failure: Failure
}
