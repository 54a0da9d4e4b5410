import Groundwork
import RetryReport

/// How one of many runs ended.
enum RunOutcome: Hashable, CaseIterable {
    case passed
    /// Something flaked, and nothing else went wrong.
    case flaked
    /// The command says that it failed, and what flaked does not explain it.
    case failed
    /// A process of it died.
    case died

    init(_ ending: ProcessEnding, _ report: Report) {
        let hasFlaked = !report.retries.isEmpty || (report.marks ?? []).contains { $0.flakes > 0 }
        let hasDied = report.run.map { $0.finishedAt == nil } ?? false
        switch ending {
        case .signal: self = .died
        case .exitCode where hasDied: self = .died
        case .exitCode(0): self = hasFlaked ? .flaked : .passed
        case .exitCode: self = hasFlaked && report.failsThoughOnlyFlaky ? .flaked : .failed
        }
    }

    /// Such as `190 passed, 7 flaked`; all of them, or those that there are.
    static func words(_ counts: [RunOutcome: Int], _ outcomes: [RunOutcome] = allCases) -> String {
        outcomes.map { "\(counts[$0, default: 0]) \($0)" }.joined(separator: ", ")
    }
}

extension Report {
    /// Whether a run with this report fails even if there was nothing but flakes: its mode asks for it.
    fileprivate var failsThoughOnlyFlaky: Bool {
        guard let run else { return false }
        if run.mode == "strict" { return true }
        return run.settings[EnvironmentVariable.failOnFlaky.rawValue] == "1"
            && retries.allSatisfy { $0.outcome == .recovered }
    }
}
