import Foundation
import Groundwork

/// The identity of one run of the tests, which all of its processes share.
///
/// It is `RETRYABLE_RUN_ID`, or Xcode's result bundle or session. Otherwise it is made of the number and the start of the
/// SwiftPM process, which starts all test processes itself, `--parallel` or not. A process that something else started, such
/// as a shell, is a run of its own: its parent may start another run later.
package enum RunIdentity {
    /// Distinguishes this process from the others of its run. A process that is forked off goes on under the same name.
    package static var process: String { continued?.process ?? own }
    private static let own = "\(getpid())-\(DispatchTime.now().uptimeNanoseconds)"
    /// The process as which this one goes on, and its run. Set at most once, before the first test.
    nonisolated(unsafe) package static var continued: (process: String, run: String)?

    /// The identity of the run that this process is part of.
    package static func current(environment: [String: String]) -> String {
        continued?.run ?? decide(environment: environment, parent: facts(of: getppid()))
    }

    /// The runs of SwiftPM in which the process was started that started this one: a test of theirs has done so.
    package static var around: Set<String> {
        guard let parent = facts(of: getppid()) else { return [] }
        let others = sequence(first: parent) { $0.parent > 0 ? facts(of: $0.parent) : nil }.dropFirst()
        return Set(others.filter(\.isSwiftPM).map(\.identity))
    }

    /// Whether Swift Testing started this process for an exit test, on Linux. It has removed its variable, but the system shows it.
    package static var isOfExitTest: Bool {
        FilePath("/proc/self/environ").readText()?.split(separator: "\0").contains { variable in
            variable.hasPrefix("SWT_") && variable.contains("EXIT_TEST_ID=")
        } == true
    }

    struct ProcessFacts {
        /// The name of its program.
        var program: String
        /// What distinguishes it from all others.
        var identity: String
        var parent: pid_t = 1

        /// SwiftPM runs tests under either name.
        var isSwiftPM: Bool { ["swift-test", "swift-package"].contains(program) }
    }

    /// - Parameter parent: The process that started it; `nil` if that cannot be known.
    static func decide(
        environment: [String: String],
        own: String = process,
        parent: @autoclosure () -> ProcessFacts?
    ) -> String {
        // In the identity of a merged report, `+` joins those of its runs.
        if let id = given(environment) { return id.replacingOccurrences(of: "+", with: "-") }
        guard let parent = parent(), parent.isSwiftPM else { return own }
        return parent.identity
    }

    private static func given(_ environment: [String: String]) -> String? {
        if let id = EnvironmentVariable.runID.value(in: environment) { return id }
        if let bundle = ReportLocation.resultBundle(of: environment) {
            // The date distinguishes a bundle from an earlier one of its name. On a device, it cannot be read.
            let date = try? bundle.resourceValues(forKeys: [.creationDateKey]).creationDate
            return "\(bundle.lastPathComponent)\(date.map { "-\($0.timeIntervalSince1970)" } ?? "")"
        }
        return environment["XCTestSessionIdentifier"].flatMap { $0.isEmpty ? nil : $0 }
    }

    #if canImport(Darwin)
        private static func facts(of process: pid_t) -> ProcessFacts? {
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
            var info = kinfo_proc()
            var size = MemoryLayout<kinfo_proc>.size
            guard sysctl(&name, UInt32(name.count), &info, &size, nil, 0) == 0, size > 0 else { return nil }
            let start = info.kp_proc.p_un.__p_starttime  // `p_starttime` is a macro, which Swift does not see
            let program = withUnsafeBytes(of: info.kp_proc.p_comm) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let identity = "\(process)-\(start.tv_sec).\(start.tv_usec)"
            return ProcessFacts(program: program, identity: identity, parent: info.kp_eproc.e_ppid)
        }
    #else
        private static func facts(of process: pid_t) -> ProcessFacts? {
            // The twentieth field is the start of the process, counted from the boot.
            guard let fields = processFields(of: process), fields.count > 19, let parent = pid_t(fields[1]),
                let name = FilePath("/proc/\(process)/comm").readText()
            else { return nil }
            let boot = FilePath("/proc/sys/kernel/random/boot_id").readText() ?? ""
            let identity = "\(boot.prefix { $0 != "\n" })-\(process)-\(fields[19])"
            return ProcessFacts(program: String(name.dropLast()), identity: identity, parent: parent)
        }
    #endif
}
