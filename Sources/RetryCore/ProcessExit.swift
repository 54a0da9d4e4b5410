import Groundwork

/// The exit of this process: one in the middle of its tests must not pass for the end of a run.
///
/// A test that calls `exit(0)`, or code under test that does, would end the run with success: what had flaked is never
/// retried, and the tests after it never run. Such a process ends with exit code 1, also if it called `exit(3)`: the system
/// does not pass on the code. At the end of a run, XCTest (by the totals of `RetrySuiteRun`) or Swift Testing decides.
package enum ProcessExit {
    private typealias Watch = (thread: UInt, unfinished: @Sendable () -> [String], atEnd: @Sendable () -> Void)

    private static let state = Locked((process: pid_t?.none, watches: [Watch]()))
    /// The thread whose exit ends the process.
    private static let endingThread = Locked(UInt?.none)
    /// The number of threads that may exit in the same instant. The system's list is not safe for threads if it has grown beyond 32.
    private static let handlers = 5

    /// Begins to watch this process, on the thread that runs its tests. A process forked from it is not watched unless it calls
    /// this too.
    ///
    /// When the process exits, `unfinished` returns the names of tests that have begun and not ended; if there are none, `atEnd` is
    /// called.
    package static func watch(
        _ unfinished: @escaping @Sendable () -> [String],
        atEnd: @escaping @Sendable () -> Void = {}
    ) {
        let isFirst = state.withLock { state in
            state.watches.append((thread, unfinished, atEnd))
            return exchange(&state.process, with: getpid()) == nil
        }
        // The system gives each handler to one thread.
        if isFirst { for _ in 0..<handlers { addHandler() } }
    }

    private static func addHandler() { atexit { ProcessExit.processExits() } }

    private static var watches: [Watch] { state.withLock(\.watches) }

    private static func processExits() {
        guard state.withLock(\.process) == getpid(), claimExit() else { return }
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

    /// Waits until this thread's exit is the one that ends the process.
    ///
    /// When all tests have ended, a thread that a test left behind waits for the run's own exit, whose code counts. It does not
    /// wait for ever, as that may never come, or wait for this thread.
    ///
    /// - Returns: `false` if it was before: in an earlier handler, or in an exit that a signal's handler has interrupted.
    private static func claimExit() -> Bool {
        let own = thread
        if endingThread.withLock({ $0 == own }) { return false }
        addHandler()  // for the thread after this
        // What a supervised process's exit means, its parent decides.
        let isSupervised = SharedProgress.current != nil || AttemptSlots.current != nil
        let isOfRun = isSupervised || mayEndRun || watches.contains { $0.thread == own }
        var (seconds, other) = (0.0, UInt?.none)
        while true {
            let mayEnd = isOfRun || watches.contains { !$0.unfinished().isEmpty }
            let ending = endingThread.withLock { ending in
                if ending != other { (seconds, other) = (0, ending) }
                if ending == nil && mayEnd || seconds > (ending == nil ? 2 : 10) { ending = own }
                return ending
            }
            if ending == own { return true }
            usleep(10_000)
            seconds += 0.01
        }
    }

    private static var isAwaited: Bool {
        SharedProgress.current?.crash != nil || ProcessContext.shared.completions.withLock(\.self) > 0
    }
}
