import Dispatch
import Foundation
import Groundwork

/// Ends the running command when this process is asked to end; this process then shows the results so far.
final class Interruption {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// The seconds in which a command may end by itself. `swift test` ends its tests first.
    private static let grace = 2.0

    private let state = Locked(State())
    private let sources: [any DispatchSourceSignal]

    private struct State {
        var command: ChildProcess?
        var hasArrived = false
    }

    init() {
        let queue = DispatchQueue(label: "interruption")
        sources = Self.signals.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        for (number, source) in zip(Self.signals, sources) {
            signal(number, SIG_IGN)
            source.setEventHandler { [state] in Self.endCommand(state, queue) }
            source.resume()
        }
    }

    /// `true` once this process was asked to end.
    var hasArrived: Bool { state.withLock { $0.hasArrived } }

    /// Sets the command to end. It is ended at once if this process was asked to end before.
    func setCommand(_ command: ChildProcess?) {
        let isLate = state.withLock { state in
            state.command = command
            return state.hasArrived
        }
        if isLate { command?.killSession() }
    }

    private static func endCommand(_ state: Locked<State>, _ queue: DispatchQueue) {
        let (command, isFirst) = state.withLock { state in
            defer { state.hasArrived = true }
            return (state.command, !state.hasArrived)
        }
        guard isFirst else {
            command?.killSession()
            return
        }
        // The same as Ctrl-C in a terminal: groups that the command has made are left to it.
        command?.signalGroup(SIGINT)
        queue.asyncAfter(deadline: .now() + grace) { command?.killSession() }
    }
}

/// A process that leads a session, and everything that it has started, also in other groups.
///
/// SwiftPM puts each test process into a group of its own.
struct ProcessSession: Sendable {
    let leader: pid_t

    /// Kills all processes of the session. The leader must not have been reaped: its number may then be another's.
    func kill() {
        // An error means that the group has no process left.
        _ = Groundwork.kill(-leader, SIGKILL)
        var left = members
        var killed: Set<pid_t> = []
        while !left.isEmpty {
            for member in left { _ = Groundwork.kill(member, SIGKILL) }
            killed.formUnion(left)
            // A process that is being killed may have started another a moment ago.
            left = members.subtracting(killed)
        }
    }

    /// All members, including ended ones that wait to be reaped.
    private var members: Set<pid_t> {
        // Elsewhere than on Linux there is no /proc, and the group is all that is known.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return Set(names.compactMap { pid_t($0) }.filter { getsid($0) == leader })
    }
}

extension ChildProcess {
    /// Kills this process and everything that it has started.
    fileprivate func killSession() { ifNotReaped(ProcessSession(leader: identifier).kill) }
}
