import Foundation
import Groundwork

/// Keeps a process that exits in the middle of its tests from passing for one that has run them.
///
/// A test that calls `exit(0)`, or code under test that does, would end the run with success: what had flaked is never
/// retried, and the tests after it never run.
package enum EarlyExit {
    /// The names of tests that have begun and not ended.
    package typealias Unfinished = @Sendable () -> [String]

    private struct State {
        var process: pid_t?
        var unfinished: [Unfinished] = []
        var atEnd: [@Sendable () -> Void] = []
    }

    private static let state = Locked(State())

    /// Begins to watch this process. A process forked from it is not watched unless it calls this too.
    ///
    /// - Parameters:
    ///   - unfinished: The tests that have begun and not ended; asked when the process exits.
    ///   - atEnd: What is to be done when it exits, whether or not it does so early.
    package static func watch(_ unfinished: @escaping Unfinished, atEnd: @escaping @Sendable () -> Void = {}) {
        let isFirst = state.withLock { state in
            defer { state.process = getpid() }
            state.unfinished.append(unfinished)
            state.atEnd.append(atEnd)
            return state.process == nil
        }
        if isFirst, !callAtExit(processExits) {
            log("this process cannot be told when it exits: if a test makes it exit, nothing says so")
        }
    }

    /// - Parameter code: The exit code, where it is known.
    fileprivate static func end(with code: CInt?) {
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
        // A code that says failure already is left as it is.
        guard code.map({ $0 & 0xFF == 0 }) ?? true else { return }
        fflush(nil)
        _exit(1)
    }
}

#if canImport(Glibc)
    private func processExits(code: CInt, _: UnsafeMutableRawPointer?) {
        EarlyExit.end(with: code)
    }

    private func callAtExit(_ body: @convention(c) (CInt, UnsafeMutableRawPointer?) -> Void) -> Bool {
        on_exit(body, nil) == 0
    }
#else
    private func processExits() {
        EarlyExit.end(with: nil)
    }

    private func callAtExit(_ body: @convention(c) () -> Void) -> Bool {
        atexit(body) == 0
    }
#endif
