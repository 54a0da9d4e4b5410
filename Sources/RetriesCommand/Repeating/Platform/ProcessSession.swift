import Foundation
import Groundwork

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
