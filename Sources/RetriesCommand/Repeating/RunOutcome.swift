import Groundwork
import RetryReport

/// The outcome of one of many runs.
enum RunOutcome: String, CaseIterable, Encodable, CodingKeyRepresentable {
    case passed
    /// Something flaked, and nothing else went wrong.
    case flaked
    /// The command failed, and the flakes do not explain it.
    case failed
    case died

    init(_ ending: ProcessEnding, _ report: Report) {
        let run = report.run
        let hasFlaked = !report.retries.isEmpty || (report.marks ?? []).contains { $0.flakes > 0 }
        // In some modes, flakes alone make a run fail.
        let failsOnFlaky = run?.settings[EnvironmentVariable.failOnFlaky.rawValue] == "1"
        let isFlakesOnly =
            run?.mode == "strict" || failsOnFlaky && report.retries.allSatisfy { $0.outcome == .recovered }
        switch ending {
        case .signal: self = .died
        case .exitCode where run != nil && run?.finishedAt == nil: self = .died
        case .exitCode(0): self = hasFlaked ? .flaked : .passed
        case .exitCode: self = hasFlaked && isFlakesOnly ? .flaked : .failed
        }
    }

    /// The totals, such as `190 passed, 7 flaked`, of all outcomes or of some.
    static func text(_ counts: [RunOutcome: Int], _ outcomes: [RunOutcome] = allCases) -> String {
        outcomes.map { "\(counts[$0, default: 0]) \($0)" }.joined(separator: ", ")
    }
}

/// The progress of many runs: a line that changes on a terminal, a line for every tenth elsewhere.
struct Progress {
    /// The number of runs; `nil` if time alone ends them.
    var total: Int?
    /// The seconds after which no run begins; `nil` if only their number ends them.
    var limit: Double?
    let isTerminal: Bool
    private(set) var counts: [RunOutcome: Int] = [:]
    private(set) var tenths = 0

    var done: Int { counts.values.reduce(0, +) }

    /// Counts a run that has ended, and returns a text for standard error; `nil` if this run needs none.
    mutating func add(_ outcome: RunOutcome, elapsed: Double) -> String? {
        counts[outcome, default: 0] += 1
        // Multiplied first, so that a whole number of tenths is exact.
        let parts = [total.map { Double(done * 10) / Double($0) }, limit.map { elapsed * 10 / $0 }]
        let part = min(10, parts.compactMap(\.self).max() ?? 0)
        var text = "\(done)" + (total.map { " of \($0)" } ?? "")
        let others = [RunOutcome.flaked, .failed, .died].filter { counts[$0] != nil }
        if !others.isEmpty { text += ", \(RunOutcome.text(counts, others))" }
        if part < 10 { text += ", \(Durations.text(elapsed * 10 / part - elapsed)) left" }
        if isTerminal { return "\r\(text)\u{1B}[K" }
        defer { tenths = Int(part) }
        return Int(part) > tenths ? "retries: \(text)\n" : nil
    }

    /// The text that removes the line.
    var end: String { isTerminal ? "\r\u{1B}[K" : "" }
}
