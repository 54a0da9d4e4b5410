/// The progress of many runs: a line that changes on a terminal, a line for every tenth elsewhere.
struct RepetitionProgress {
    /// The number of runs; `nil` if only a time limit ends them.
    var total: Int?
    /// The seconds after which no run begins; `nil` if there is no limit.
    var limit: Double?
    let isTerminal: Bool
    private(set) var counts: [RepetitionOutcome: Int] = [:]
    private(set) var tenths = 0

    var done: Int { counts.values.reduce(0, +) }

    /// Counts a run that has ended, and returns a text for standard error, if any; without an estimate before a build.
    mutating func add(_ outcome: RepetitionOutcome, elapsed: Double, beforeBuild: Bool = false) -> String? {
        counts[outcome, default: 0] += 1
        // The multiplication comes first, so that whole tenths are exact.
        let parts = [total.map { Double(done * 10) / Double($0) }, limit.map { elapsed * 10 / $0 }]
        let part = min(10, parts.compactMap(\.self).max() ?? 0)
        var text = "\(done)" + (total.map { " of \($0)" } ?? "")
        let others = [RepetitionOutcome.flaked, .failed, .died].filter { counts[$0] != nil }
        if !others.isEmpty { text += ", \(RepetitionOutcome.text(counts, others))" }
        let left = beforeBuild ? "and a build to come" : "\(Durations.text(elapsed * 10 / part - elapsed)) left"
        if part < 10 { text += ", \(left)" }
        if isTerminal { return "\r\(text)\u{1B}[K" }
        defer { tenths = Int(part) }
        return Int(part) > tenths ? "retries: \(text)\n" : nil
    }

    /// The text that removes the line from a terminal.
    var end: String { isTerminal ? "\r\u{1B}[K" : "" }
}
