import Groundwork

/// The exit of this process: one in the middle of its tests must not pass for the end of a run.
///
/// A test that calls `exit(0)`, or code under test that does, would end the run with success: what had flaked is never
/// retried, and the tests after it never run. Such a process ends with exit code 1, also if it called `exit(3)`: the system
/// does not pass on the code. At the end of a run, XCTest (by the totals of `RetrySuiteRun`) or Swift Testing decides.
package enum ProcessExit {
    private typealias Watch = (
        thread: pthread_t, unfinished: @Sendable () -> [String], atEnd: @Sendable () -> Void
    )

    private static let state = Locked((process: pid_t?.none, watches: [Watch]()))
    /// The thread whose exit ends the process.
    private static let first = Locked(pthread_t?.none)
    /// The number of threads that may exit in the same instant. The system's list is not safe for threads if it has grown beyond 32.
    private static let handlers = 5

    /// Begins to watch this process, on the thread that runs its tests. A process forked from it is not watched unless it calls
    /// this too.
    ///
    /// When the process exits, one closure returns the names of tests that have begun and not ended; if there are none, the
    /// last is called.
    package static func watch(
        _ unfinished: @escaping @Sendable () -> [String],
        atEnd: @escaping @Sendable () -> Void = {}
    ) {
        let isFirst = state.withLock { state in
            state.watches.append((pthread_self(), unfinished, atEnd))
            return exchange(&state.process, with: getpid()) == nil
        }
        // The system gives each handler to one thread.
        if isFirst { for _ in 0..<handlers { addHandler() } }
    }

    private static func addHandler() { atexit { ProcessExit.processExits() } }

    private static func processExits() {
        let (process, watches) = state.withLock { $0 }
        guard process == getpid(), isFirst(watches) else { return }
        SharedProgress.current?.freeze()
        // A thread that has crashed is to end the process by its signal, and one that completes the report, to come to its end. Not one
        // sleep, as the backtrace's signals cut it short, and bounded, as a signal's handler may exit in the middle of either.
        for _ in 0..<100 where isAwaited { usleep(10_000) }
        let unfinished = watches.flatMap { $0.unfinished() }
        if !unfinished.isEmpty {
            ProcessContext.shared.finish(isMidRun: true)
            log("the process exits while tests run: \(unfinished.firstFew) began and did not end")
            flushOutput()
            _exit(1)
        }
        watches.forEach { $0.atEnd() }
    }

    /// Whether this thread's exit ends the process. If that of another one does, this does not return.
    ///
    /// When all tests have ended, a thread that a test left behind waits for the run's own exit, whose code counts.
    ///
    /// - Returns: `false` if that is known, from a handler before this or because a signal's handler has exited again.
    private static func isFirst(_ watches: [Watch]) -> Bool {
        let own = pthread_self()
        if first.withLock({ $0 == own }) { return false }
        addHandler()  // for the thread after this
        // What a supervised process's exit means, its parent decides.
        let isSupervised = SharedProgress.current != nil || AttemptSlots.current != nil
        let mayEndRun = isSupervised || mayEndRun || watches.contains { $0.thread == own }
        var seconds = 0.0
        while true {
            // After some seconds, the run's own exit will not come, or waits for this thread.
            let mayEnd = mayEndRun || seconds > 2 || watches.contains { !$0.unfinished().isEmpty }
            let isFirst = first.withLock { first in
                if first == nil && mayEnd || seconds > 10 { first = own }
                return first == own
            }
            if isFirst { return true }
            usleep(10_000)
            seconds += 0.01
        }
    }

    private static var isAwaited: Bool {
        SharedProgress.current?.crash != nil || ProcessContext.shared.completions.withLock(\.self) > 0
    }
}
