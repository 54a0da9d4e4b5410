#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation
    import Groundwork

    /// The start of an app's process, and the end of what it started.
    enum Children {
        /// Starts an executable that gets these descriptors, its standard streams first, and no other.
        static func start(
            _ command: [String],
            _ environment: [String: String],
            _ descriptors: [CInt]
        ) throws -> ChildProcess {
            // Those that would pass, such as those of Foundation's `Pipe`. Apple's systems close them by themselves.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            let others = names.compactMap { CInt($0) }.filter {
                let flags = fcntl($0, F_GETFD)
                return $0 >= descriptors.count && flags >= 0 && flags & FD_CLOEXEC == 0
            }
            do throws(SystemError) {
                return try ChildProcess(command, environment: environment, streams: descriptors, closing: others)
            } catch {
                throw AutomationError(.launch, "\(command[0]) cannot be started: \(error)")
            }
        }

        /// Kills what an app has left running, and returns when nothing of it is alive.
        ///
        /// Its group does not hold all: Foundation's `Process` gives every child a group of its own. On Linux the others are
        /// found by their session, which is the app's unless they left it, and by the launch's directory, which is in their
        /// environment unless they were given another.
        static func killAll(of app: ChildProcess, in directory: String) {
            _ = kill(-app.identifier, SIGKILL)
            // A process that is killed may have started another one after it was listed, so there are rounds until nothing is
            // left; one that cannot be killed, waiting for a disk, is no reason to go on for ever.
            for _ in 0..<200 {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
                let left = names.compactMap { pid_t($0) }.filter { belongs($0, to: app, in: directory) }
                if left.isEmpty { return }
                for process in left { _ = kill(process, SIGKILL) }
            }
        }

        private static func belongs(_ process: pid_t, to app: ChildProcess, in directory: String) -> Bool {
            // The fields of `stat` are `1234 (any name) state parent group session …`.
            let fields =
                Descriptor.text(at: "/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 3, fields[0] != "Z" else { return false }
            if fields[3] == "\(app.identifier)" { return true }
            let variable = "\(AutomationVariable.launch)=\(directory)\0"
            return Descriptor.text(at: "/proc/\(process)/environ")?.contains(variable) == true
        }
    }
#endif
