import Dispatch
import Foundation
import Groundwork

/// Ends the running command when this process is asked to end; this process then shows the results so far.
final class Interruption {
    /// The seconds that a command has to end by itself. `swift test` ends its tests first.
    private static let grace = 2.0

    private let state = Locked((command: ChildProcess?.none, hasArrived: false))
    private var sources: [any DispatchSourceSignal] = []

    init() {
        let queue = DispatchQueue(label: "interruption")
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [state] in
                state.withLock { $0.hasArrived = true }
                // Like Ctrl-C in a terminal, this leaves the process groups that the command has made to the command.
                state.withLock(\.command)?.signalGroup(SIGINT)
                // By then, the command may be one that was about to be started.
                queue.asyncAfter(deadline: .now() + Self.grace) {
                    if let command = state.withLock(\.command) { command.ifNotReaped(command.killMembers) }
                }
            }
            source.resume()
            return source
        }
    }

    /// `true` once this process was asked to end.
    var hasArrived: Bool { state.withLock(\.hasArrived) }

    func setCommand(_ command: ChildProcess?) {
        state.withLock { $0.command = command }
    }
}

extension ChildProcess {
    /// Kills all processes of this process's session, also those in other groups. It must not have been reaped.
    ///
    /// SwiftPM puts each test process into a group of its own.
    func killMembers() {
        // An error means that the group has no process left.
        _ = kill(-identifier, SIGKILL)
        var killed: Set<pid_t> = []
        // Repeated, because a process may have started another one just before it was killed.
        while case let left = members.subtracting(killed), !left.isEmpty {
            for member in left { _ = kill(member, SIGKILL) }
            killed.formUnion(left)
        }
    }

    /// All members of the session, including ended ones that wait to be reaped.
    private var members: Set<pid_t> {
        // Only Linux has /proc; elsewhere, only the process's group is known.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return Set(names.compactMap { pid_t($0) }.filter { getsid($0) == identifier })
    }
}
