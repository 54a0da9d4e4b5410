import Groundwork
import RetryReport

/// The end of a process before its tests had ended. Which of the tests that Swift Testing runs side by side has caused it,
/// `SupervisedRun` finds.
package enum Death: Hashable, Codable, Sendable, CustomStringConvertible {
    case ended(ProcessEnding)
    case hang(seconds: Double)

    package var description: String {
        switch self {
        case .ended(.signal(let signal)):
            "crashed with signal \(signal)" + (Self.names[signal].map { " (\($0))" } ?? "")
        case .ended(.exitCode(let code)): "called exit(\(code))"
        case .hang(let seconds): "hung for \(seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)") s"
        }
    }

    private static let names: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1",
        SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM",
        SIGSYS: "SIGSYS",
    ]
}

/// Whether a sanitizer watches this process.
package var isSanitized: Bool { dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil }

extension Attempt {
    /// Judges the death of the process in which this attempt ran. Of the attempt, no more is known than what is given here.
    ///
    /// - Parameters:
    ///   - sections: The sections that were open, innermost first.
    ///   - flake: The attempt's first flake; `nil` if it had none.
    package func judge(
        _ death: Death,
        in sections: [Section],
        after flake: Flake? = nil,
        hasFailed: Bool = false,
        isSanitized: Bool = RetryCore.isSanitized
    ) -> Verdict {
        if let flake { restore(flake) }
        // A sanitizer may have ended the process, or have found what it tells at the end, such as races and leaks.
        if hasFailed || isSanitized { fail() }
        state.withLock { state in sections.forEach { state.enter($0) } }
        // The process that judged this death has died, too.
        if let flake, needsRetry, flake.failure.message == "\(death)" { return .flake(flake.section) }
        return judge(Failure(unplaced: "\(death)"), in: sections)
    }

    /// Notes a flake of an attempt whose process has died.
    package func restore(_ flake: Flake) {
        state.withLock { state in
            state.enter(flake.section)
            state.entered[flake.section]?.hasFlaked = true
            (state.flake, state.record.outcome, state.isCounted) = (flake, .flaked, true)
            state.record.failures = [flake.failure]
        }
    }
}

extension AttemptSlots.Entry {
    /// Whether one of the open sections may hold a death, whatever the settings say and however many retries are used up.
    package func canHold(_ death: Death) -> Bool {
        let context = FailureContext(
            failure: Failure(unplaced: "\(death)"),
            sections: sections,
            retryCount: 0,
            outcome: .passed,
            phase: .method,
            canRunAgain: true,
            isExplained: false,
            settings: RunSettings(environment: [:]),
            otherFlakes: 0
        )
        return if case .flake = context.verdict { true } else { false }
    }
}
