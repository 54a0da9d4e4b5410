import Foundation
import Groundwork

/// Keeps a process that exits in the middle of its tests from passing for one that has run them.
///
/// A test that calls `exit(0)`, or code under test that does, would end the run with success: what had flaked is never
/// retried, and the tests after it never run. Such a process ends with exit code 1, also if it called `exit(3)`: the system
/// does not pass on the code.
package enum EarlyExit {
    private struct State {
        var process: pid_t?
        var unfinished: [@Sendable () -> [String]] = []
        var atEnd: [@Sendable () -> Void] = []
    }

    private static let state = Locked(State())

    /// Begins to watch this process. A process forked from it is not watched unless it calls this too.
    ///
    /// - Parameters:
    ///   - unfinished: Returns the names of tests that have begun and not ended. Called when the process exits.
    ///   - atEnd: Called when the process exits and no test is unfinished.
    package static func watch(
        _ unfinished: @escaping @Sendable () -> [String],
        atEnd: @escaping @Sendable () -> Void = {}
    ) {
        let isFirst = state.withLock { state in
            defer { state.process = getpid() }
            state.unfinished.append(unfinished)
            state.atEnd.append(atEnd)
            return state.process == nil
        }
        if isFirst, atexit({ EarlyExit.processExits() }) != 0 {
            log("exits cannot be watched: a test that calls exit ends the run with its own exit code")
        }
    }

    private static func processExits() {
        let state = state.withLock { $0 }
        guard state.process == getpid() else { return }
        let unfinished = state.unfinished.flatMap { $0() }
        if unfinished.isEmpty { return state.atEnd.forEach { $0() } }
        ProcessRun.shared.finish()
        let pending = ProcessRun.shared.report.pending.map(\.name)
        let more = unfinished.count > 5 ? " and \(unfinished.count - 5) more" : ""
        let names = unfinished.prefix(5).joined(separator: ", ") + more
        log("the process exits while tests run: \(names) began and did not end")
        if !pending.isEmpty {
            log("flaked and not retried, because the process exits: \(pending.joined(separator: ", "))")
        }
        fflush(nil)
        _exit(1)
    }
}
