#if os(macOS) || os(Linux)
    import Groundwork
    import Foundation

    /// What an app started and left running outside its process group.
    ///
    /// Foundation's `Process` gives every child a group of its own, so that killing the app's group does not reach them. On
    /// Linux they are found by their session, which is the app's unless they left it, and by their environment, which names
    /// the launch that they come from unless they were given another. Other systems do not let one look.
    enum Leftovers {
        /// The variable that names the launch, by the directory that was made for it.
        static let variable = "APP_AUTOMATION_DIRECTORY"

        /// Kills what is left of a launch, and returns when nothing of it is alive.
        ///
        /// - Parameters:
        ///   - directory: What the environment names.
        ///   - session: The app, which must not have been reaped: after that the number may be another's.
        static func kill(of directory: URL, session: pid_t) {
            #if os(Linux)
                let mark = Data("\(variable)=\(directory.path)\0".utf8)
                // A process may have started another one after the list was made, so until a list has none; a process that
                // cannot be killed, waiting for a disk, is no reason to wait for ever.
                let deadline = Date(timeIntervalSinceNow: 1)
                while deadline.timeIntervalSinceNow > 0 {
                    let left = processes(in: session, or: mark)
                    if left.isEmpty { return }
                    left.forEach { _ = system_kill($0, SIGKILL) }
                    sched_yield()
                }
            #endif
        }

        #if os(Linux)
            private static func processes(in session: pid_t, or mark: Data) -> [pid_t] {
                let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
                return entries.compactMap(pid_t.init).filter { identifier in
                    guard identifier != getpid() else { return false }
                    // Others' processes cannot be read, and neither can those that have just ended: not ours to kill.
                    let file = { (name: String) in
                        try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(identifier)/\(name)"))
                    }
                    if isAlive(in: session, file("stat")) { return true }
                    return file("environ")?.range(of: mark) != nil
                }
            }

            /// Reads `1234 (any name) S parent group session …`.
            private static func isAlive(in session: pid_t, _ stat: Data?) -> Bool {
                let text = String(decoding: stat ?? Data(), as: UTF8.self)
                let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
                return fields.count > 3 && fields[0] != "Z" && fields[3] == "\(session)"
            }
        #endif
    }

    private func system_kill(_ identifier: pid_t, _ signal: CInt) -> CInt {
        kill(identifier, signal)
    }
#endif
