import Foundation
import Groundwork

/// A process that leads a session, and all that it has started, also in groups of their own: SwiftPM puts each test process
/// into one.
struct Session: Sendable {
    let leader: pid_t

    /// Kills them all. The leader must not have been reaped, because its number may then be another's.
    func kill() {
        // An error means that the group has no process left.
        _ = Groundwork.kill(-leader, SIGKILL)
        // What is being killed may have started something a moment ago.
        for _ in 0..<20 {
            let members = otherMembers
            if members.isEmpty { return }
            for member in members { _ = Groundwork.kill(member, SIGKILL) }
        }
    }

    /// The members but for the leader; a process that has ended and waits to be reaped is none.
    private var otherMembers: [pid_t] {
        do {
            let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
            return processes.filter { $0 != leader && getsid($0) == leader && !isDead($0) }
        } catch {
            // Only Linux tells cheaply; elsewhere the group is all that is known.
            return []
        }
    }

    private func isDead(_ process: pid_t) -> Bool {
        // 12 (a name (of any kind)) Z 1 …
        guard let stat = Descriptor.text(at: "/proc/\(process)/stat"), let closing = stat.lastIndex(of: ")")
        else { return true }
        return stat[closing...].hasPrefix(") Z")
    }
}
