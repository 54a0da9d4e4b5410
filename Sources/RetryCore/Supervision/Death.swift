import Groundwork

/// How a process ended before its tests had.
package enum Death: Hashable, Sendable, CustomStringConvertible {
    case signal(Int32)
    case exit(Int32)
    case hang(seconds: Double)

    /// - Parameter status: What `waitpid` tells of a process that has ended.
    package init(status: Int32) {
        switch ProcessEnding(status: status) {
        case .exitCode(let code): self = .exit(code)
        case .signal(let signal): self = .signal(signal)
        }
    }

    package var description: String {
        switch self {
        case .signal(let signal): "crashed with signal \(signal)" + (Self.names[signal].map { " (\($0))" } ?? "")
        case .exit(let code): "called exit(\(code))"
        case .hang(let seconds): "hung for \(seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)") s"
        }
    }

    private static let names: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT",
        SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV",
        SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS",
    ]

    /// Whether a sanitizer may have ended the process. That is a finding, never a flake.
    private var mayBeFinding: Bool {
        switch self {
        case .signal(let signal): signal == SIGABRT
        case .exit(let code): code != 0
        case .hang: false
        }
    }

    /// What it becomes for the attempt that ran: a failure like any other.
    ///
    /// - Parameters:
    ///   - marks: The marks of the sections that were open, innermost first.
    ///   - retryCount: How many attempts came before.
    ///   - hasFailed: Whether the attempt had failed already.
    ///   - hasFlaked: Whether the attempt had flaked already.
    ///   - isSanitized: Whether a sanitizer watches the process.
    ///   - refusal: Why the run's mode allows no further flake. Asked only if it matters, and not of an attempt that
    ///     has flaked.
    package func verdict(
        marks: [Flakiness],
        retryCount: Int,
        hasFailed: Bool = false,
        hasFlaked: Bool = false,
        isSanitized: Bool = false,
        refusal: () -> Refusal? = { nil }
    ) -> Verdict {
        var circumstances = Circumstances()
        circumstances.allowedRetries = marks.map { $0.retries(ofFailureSaying: "\(self)") }
        circumstances.retryCount = retryCount
        circumstances.hasFailed = hasFailed || isSanitized && mayBeFinding
        if case .flake = circumstances.verdict, !hasFlaked { circumstances.refusal = refusal() }
        return circumstances.verdict
    }
}
