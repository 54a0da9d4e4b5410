import Groundwork

/// The progress of a supervised run, in memory that it shares with the process that waits for its end.
package final class SharedRun: Sendable {
    /// The supervised run of this process; `nil` unless its tests are supervised. Set at most once, before the first test.
    nonisolated(unsafe) package static var current: SharedRun?

    package let state: RunState
    /// The sections that are open in the attempt that runs.
    package let openSections: SharedSections
    /// The section that the attempt has flaked because of.
    package let flakedSection: SharedSections
    private let recorded = Locked(Recorded())

    private struct Recorded {
        /// The process that runs the tests. A process that a test forks may enter sections too; those do not count.
        var process: pid_t?
        /// The attempt that runs, if it can flake.
        var attempt: Attempt?
    }

    package init(_ state: RunState) throws(SystemError) {
        self.state = state
        openSections = try SharedSections()
        flakedSection = try SharedSections()
    }

    /// Begins to record, in a process that runs tests.
    package func begin() {
        recorded.withLock { $0.process = getpid() }
        Self.current = self
    }

    /// Records progress.
    ///
    /// - Parameter change: Changes the shared state; it is handed the attempt that runs.
    package func record(_ change: (RunState, inout Attempt?) -> Void) {
        recorded.withLock { recorded in
            guard recorded.process == getpid() else { return }
            let before = recorded.attempt
            change(state, &recorded.attempt)
            if recorded.attempt !== before {
                openSections.clear()
                flakedSection.clear()
            }
            state.move()
        }
    }

    /// Undoes, after `body`, what the process that runs tests has recorded meanwhile.
    package func keepingState(_ body: () -> Void) {
        let restore = [state.save(), openSections.save(), flakedSection.save()]
        body()
        for restore in restore { restore() }
    }

    /// - Parameter open: The sections that are open, newest first.
    func write(_ open: [Section], of attempt: Attempt) {
        record { _, running in
            if running === attempt { openSections.write(open) }
        }
    }

    func write(flaked section: Section, of attempt: Attempt) {
        record { _, running in
            if running === attempt { flakedSection.write([section]) }
        }
    }

    func write(_ counts: RunCounts) {
        record { state, _ in state.counts = counts }
    }
}
