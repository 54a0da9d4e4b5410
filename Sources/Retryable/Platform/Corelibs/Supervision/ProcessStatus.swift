#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork

    /// What the kernel says about a process.
    struct ProcessStatus {
        private let lines: [Substring]

        init(of process: pid_t) {
            lines = (Descriptor.text(at: "/proc/\(process)/status") ?? "").split(separator: "\n")
        }

        private subscript(key: String) -> Substring {
            lines.first { $0.hasPrefix("\(key):") }?.split(separator: "\t").last ?? ""
        }

        /// How many threads it has; `nil` if the kernel does not tell.
        var threads: Int? { Int(self["Threads"]) }

        /// Whether a signal or a debugger has stopped it.
        var isStopped: Bool { self["State"].lowercased().hasPrefix("t") }

        /// Whether it has ended and has not been waited for.
        var isOver: Bool { self["State"].hasPrefix("Z") }

        /// The signals that it ignores (`SigIgn`) or handles (`SigCgt`).
        func signals(_ key: String) -> [CInt] {
            let mask = UInt64(self[key], radix: 16) ?? 0
            return (1...64).filter { mask >> (UInt64($0) - 1) & 1 == 1 }
        }

        /// The descendants of a process.
        static func descendants(of process: pid_t) -> [pid_t] {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            let children = threads.flatMap { thread in
                (Descriptor.text(at: "/proc/\(process)/task/\(thread)/children") ?? "").split(separator: " ")
            }
            return children.compactMap { pid_t($0) }.flatMap { [$0] + descendants(of: $0) }
        }
    }
#endif
