import Foundation
import Groundwork

/// The identity of one run of the tests, which all of its processes share.
///
/// It is `RETRYABLE_RUN_ID`, or Xcode's result bundle or session. Otherwise it is made of the machine's boot, and of the
/// number and the start of the SwiftPM process, which starts all test processes itself, `--parallel` or not. A process that
/// something else started, such as a shell, is a run of its own: its parent may start another run later.
package enum RunIdentity {
    /// The properties of a process that distinguish runs.
    struct ProcessFacts: Hashable, Sendable {
        var identifier: Int
        /// The time of its start, in whatever unit the system counts.
        var start: String
        /// The name of its program.
        var program: String
    }

    /// The identity of the run that a process is part of.
    ///
    /// - Parameters:
    ///   - parent: The process that started it; `nil` if that cannot be known.
    ///   - boot: Distinguishes this boot of the machine from others.
    static func decide(
        environment: [String: String],
        own: @autoclosure () -> ProcessFacts,
        parent: @autoclosure () -> ProcessFacts?,
        boot: @autoclosure () -> String
    ) -> String {
        if let id = EnvironmentVariable.runID.value(in: environment) { return id }
        if let bundle = ReportLocation.resultBundle(of: environment) {
            // The date distinguishes a bundle from an earlier one of its name. On a device, it cannot be read.
            let date = try? bundle.resourceValues(forKeys: [.creationDateKey]).creationDate
            return "\(bundle.lastPathComponent)\(date.map { "-\($0.timeIntervalSince1970)" } ?? "")"
        }
        if let session = environment["XCTestSessionIdentifier"], !session.isEmpty { return session }
        // SwiftPM runs tests under either name.
        let process = parent().flatMap { ["swift-test", "swift-package"].contains($0.program) ? $0 : nil } ?? own()
        return "\(boot())-\(process.identifier)-\(process.start)"
    }
}

extension RunIdentity {
    /// Distinguishes this process from the others of its run. A process that is forked off goes on under the same name.
    package static let process = "\(getpid())-\(DispatchTime.now().uptimeNanoseconds)"

    /// The identity of the run that this process is part of.
    package static func current(environment: [String: String]) -> String {
        let unknown = ProcessFacts(identifier: Int(getpid()), start: UUID().uuidString, program: "")
        return decide(
            environment: environment,
            own: facts(of: getpid()) ?? unknown,
            parent: facts(of: getppid()),
            boot: boot
        )
    }

    #if canImport(Darwin)
        private static var boot: String {
            var time = timeval()
            var size = MemoryLayout<timeval>.size
            guard sysctlbyname("kern.boottime", &time, &size, nil, 0) == 0 else { return "boot" }
            return "\(time.tv_sec)"
        }

        private static func facts(of process: pid_t) -> ProcessFacts? {
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
            var info = kinfo_proc()
            var size = MemoryLayout<kinfo_proc>.size
            guard sysctl(&name, UInt32(name.count), &info, &size, nil, 0) == 0, size > 0 else { return nil }
            let start = info.kp_proc.p_un.__p_starttime  // `p_starttime` is a macro, which Swift does not see
            let program = withUnsafeBytes(of: info.kp_proc.p_comm) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            return ProcessFacts(identifier: Int(process), start: "\(start.tv_sec).\(start.tv_usec)", program: program)
        }
    #else
        private static var boot: String {
            let id = Descriptor.text(at: "/proc/sys/kernel/random/boot_id") ?? ""
            return String(id.prefix { $0 != "\n" })
        }

        private static func facts(of process: pid_t) -> ProcessFacts? {
            // `1234 (any name) state parent …`: the start is the twentieth field after the name.
            let stat = Descriptor.text(at: "/proc/\(process)/stat")?.split(separator: ")").last
            guard let fields = stat?.split(separator: " "), fields.count > 19,
                let name = Descriptor.text(at: "/proc/\(process)/comm")
            else { return nil }
            return ProcessFacts(identifier: Int(process), start: String(fields[19]), program: String(name.dropLast()))
        }
    #endif
}
