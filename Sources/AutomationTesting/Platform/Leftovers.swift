#if os(macOS) || os(Linux)
    import Foundation

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// What an app started and left running outside its process group.
    ///
    /// Foundation's `Process` gives every child a group of its own, so that killing the app's group does not reach them. They
    /// do inherit the environment, which names the launch that they come from. Other systems than Linux do not let one read it.
    enum Leftovers {
        /// The variable that names the launch, by the directory that was made for it.
        static let variable = "APP_AUTOMATION_DIRECTORY"

        /// Kills every process whose environment names this launch, and returns when none is alive.
        static func kill(of directory: URL) {
            #if os(Linux)
                let mark = Data("\(variable)=\(directory.path)\0".utf8)
                // A process may have started another one after the list was made, so until a list has none; a process that
                // cannot be killed, waiting for a disk, is no reason to wait for ever.
                let deadline = Date(timeIntervalSinceNow: 1)
                while deadline.timeIntervalSinceNow > 0 {
                    let left = processes(withEnvironment: mark)
                    if left.isEmpty { return }
                    left.forEach { _ = system_kill($0, SIGKILL) }
                    sched_yield()
                }
            #endif
        }

        #if os(Linux)
            private static func processes(withEnvironment mark: Data) -> [pid_t] {
                let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
                return entries.compactMap(pid_t.init).filter { identifier in
                    guard identifier != getpid() else { return false }
                    // Others' processes cannot be read, and neither can those that have just ended: they are not ours to kill.
                    let environment = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(identifier)/environ"))
                    return environment?.range(of: mark) != nil
                }
            }
        #endif
    }

    private func system_kill(_ identifier: pid_t, _ signal: CInt) -> CInt {
        kill(identifier, signal)
    }
#endif
