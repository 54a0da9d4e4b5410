import Dispatch
import Foundation
import Groundwork

/// Ends the command that runs when this process is asked to end, so that it can show what there is and end after it.
final class Interruption {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// How long a command may take to end by itself, in seconds. `swift test` ends its tests first.
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
            source.setEventHandler { [state] in Self.arrived(state, queue) }
            source.resume()
        }
    }

    /// Whether this process was asked to end.
    var hasArrived: Bool { state.withLock { $0.hasArrived } }

    /// Says which command is to be ended; if this process was asked to end already, it is.
    func watch(_ command: ChildProcess?) {
        let isLate = state.withLock { state in
            state.command = command
            return state.hasArrived
        }
        if isLate { command?.killSession() }
    }

    private static func arrived(_ state: Locked<State>, _ queue: DispatchQueue) {
        let (command, isFirst) = state.withLock { state in
            defer { state.hasArrived = true }
            return (state.command, !state.hasArrived)
        }
        guard isFirst else {
            command?.killSession()
            return
        }
        // As Ctrl-C would. What it has put into other groups is its affair.
        command?.signalGroup(SIGINT)
        queue.asyncAfter(deadline: .now() + grace) { command?.killSession() }
    }
}

/// A process that leads a session, and all that it has started, also in groups of their own: SwiftPM puts each test process
/// into one.
struct ProcessSession: Sendable {
    let leader: pid_t

    /// Kills them all. The leader must not have been reaped, because its number may then be another's.
    func kill() {
        // An error means that the group has no process left.
        _ = Groundwork.kill(-leader, SIGKILL)
        var left = members
        var killed: Set<pid_t> = []
        while !left.isEmpty {
            for member in left { _ = Groundwork.kill(member, SIGKILL) }
            killed.formUnion(left)
            // What is being killed may have started something a moment ago.
            left = members.subtracting(killed)
        }
    }

    /// All members, also those that have ended and wait to be reaped.
    private var members: Set<pid_t> {
        // Only Linux tells cheaply; elsewhere the group is all that is known.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return Set(names.compactMap { pid_t($0) }.filter { getsid($0) == leader })
    }
}

extension ChildProcess {
    /// Ends it, and all that it has started.
    func killSession() { ifNotReaped(ProcessSession(leader: identifier).kill) }
}
