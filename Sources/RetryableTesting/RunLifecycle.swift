import Foundation
import Groundwork
import RetryCore
import Testing

/// What a process does before its first retryable test, and after its last one.
enum RunLifecycle {
    /// Reads the environment, puts the report in place, or ends the process with exit code 2, and watches the process's exit.
    static func prepare() {
        SupervisedProcess.begin()  // does nothing unless this is such a child process
        // Before the exit is watched: should this end the process, `finish` must not run for a run that has not begun.
        if ProcessContext.shared.openReport() {
            SupervisedRun.begin()  // if asked for, runs all tests in child processes and does not return
            ProcessContext.shared.ordersTasks()
        }
        if watchesExit.withLock({ exchange(&$0, with: true) }) { return }
        ProcessContext.shared.goOn()
        // Swift Testing has no event for the end of its run, but its process then calls `exit`.
        ProcessExit.watch({ AttemptSlots.current == nil ? CasesInProgress.unfinished : [] }, atEnd: finish)
    }

    private static let watchesExit = Locked(false)

    @Sendable private static func finish() {
        SupervisedProcess.noteExit()  // first, because tests go on while the report is written
        RetryLoop.reportLateFailures()
        ProcessContext.shared.finish()
        if AttemptSlots.current != nil { return }  // its parent sees what ran, and has to see the code
        // A test that is not retryable may have called `exit(0)` after one that has failed. At the end of its run, Swift
        // Testing decides: a trait may have dropped what failed.
        guard hasFailure.withLock(\.self) || ProcessContext.shared.report.hasFailures, !hasEnded else { return }
        log("the process exits before Swift Testing's run has ended, and a test has failed")
        flushOutput()
        _exit(1)
    }

    /// The run has ended if Swift Testing itself has called `exit`, or if it has released its tests and their traits and
    /// returned to the program's own `main`.
    ///
    /// To be asked in an exit handler. The first is seen on Linux, and the second unless a test left a task behind, which
    /// keeps its test, or the program keeps a trait.
    static var hasEnded: Bool {
        let callers = Thread.callStackSymbols.map { $0.prefix { $0 != "(" } }
        let callerOfExit = callers.drop { !$0.contains("/libc.so") }.first { !$0.contains("/libc.so") }
        return callerOfExit?.hasSuffix("/libTesting.so") == true || TraitInUse.count.withLock(\.self) == 0
    }

    /// A test case that never flaked, and so has no record, has failed.
    static let hasFailure = Locked(false)
}

/// Exists as long as the trait that has it.
final class TraitInUse: Sendable {
    static let count = Locked(0)

    init() { Self.count.withLock { $0 += 1 } }
    deinit { Self.count.withLock { $0 -= 1 } }
}
