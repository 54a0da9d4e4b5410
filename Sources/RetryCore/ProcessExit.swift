import Groundwork

/// The exit of this process: one in the middle of its tests must not pass for the end of a run.
///
/// A test that calls `exit(0)`, or code under test that does, would end the run with success: what had flaked is never
/// retried, and the tests after it never run. Such a process ends with exit code 1, also if it called `exit(3)`: the system
/// does not pass on the code. At the end of a run, XCTest (by the totals of `RetrySuiteRun`) or Swift Testing decides.
package enum ProcessExit {
    private typealias Watch = (unfinished: @Sendable () -> [String], atEnd: @Sendable () -> Void)

    private static let state = Locked((process: pid_t?.none, watches: [Watch]()))

    /// Begins to watch this process. A process forked from it is not watched unless it calls this too.
    ///
    /// When the process exits, one closure returns the names of tests that have begun and not ended; if there are none, the
    /// other is called.
    package static func watch(
        _ unfinished: @escaping @Sendable () -> [String],
        atEnd: @escaping @Sendable () -> Void = {}
    ) {
        let isFirst = state.withLock { state in
            state.watches.append((unfinished, atEnd))
            return exchange(&state.process, with: getpid()) == nil
        }
        guard isFirst else { return }
        // Handlers run in reverse order, each on one thread. One that exits meanwhile, as at the end of the run, skips the first and
        // waits in the next until it is known whether the process ends here.
        for _ in 0..<waiting { atexit { ProcessExit.waitForDecision() } }
        atexit { ProcessExit.processExits() }
    }

    /// The number of threads that may exit at the same moment as another. The system's list is not safe for threads if it has grown
    /// beyond 32.
    private static let waiting = 4
    /// The thread that decides whether the process ends here, and whether it has.
    private static let decision = Locked((thread: pthread_t?.none, isMade: false))

    private static func waitForDecision() {
        let isOfOther = { decision.withLock { !$0.isMade && $0.thread != pthread_self() } }
        // On the same thread, a signal's handler has exited again.
        while state.withLock(\.process) == getpid(), isOfOther() { usleep(1000) }
    }

    private static func processExits() {
        let (process, watches) = state.withLock { $0 }
        guard process == getpid() else { return }
        decision.withLock { $0.thread = pthread_self() }
        SharedProgress.current?.freeze()
        // A thread that has crashed is to end the process by its signal, and one that completes the report, to come to its end. Not one
        // sleep, as the backtrace's signals cut it short, and bounded, as a signal's handler may exit in the middle of either.
        for _ in 0..<100 where isAwaited { usleep(10_000) }
        let unfinished = watches.flatMap { $0.unfinished() }
        if !unfinished.isEmpty {
            ProcessContext.shared.finish(isMidRun: true)
            log("the process exits while tests run: \(unfinished.firstFew) began and did not end")
            fflush(nil)
            _exit(1)
        }
        decision.withLock { $0.isMade = true }
        watches.forEach { $0.atEnd() }
    }

    private static var isAwaited: Bool {
        SharedProgress.current?.crash != nil || ProcessContext.shared.completions.withLock(\.self) > 0
    }
}
