import Groundwork

/// The progress of many runs: a bar on a terminal, a line for every tenth elsewhere.
struct Progress {
    let total: Int
    let isTerminal: Bool
    private(set) var counts: [RunOutcome: Int] = [:]
    private static let width = 24

    init(total: Int, isTerminal: Bool) {
        self.total = total
        self.isTerminal = isTerminal
    }

    private var done: Int { counts.values.reduce(0, +) }

    /// Counts a run that has ended.
    ///
    /// - Parameter elapsed: The seconds since the first run began.
    /// - Returns: What to write on standard error; `nil` if there is nothing to say.
    mutating func add(_ outcome: RunOutcome, elapsed: Double) -> String? {
        counts[outcome, default: 0] += 1
        let left = elapsed / Double(done) * Double(total - done)
        var words = "\(done) of \(total)"
        let others = [RunOutcome.flaked, .failed, .died].filter { counts[$0] != nil }
        if !others.isEmpty { words += ", \(RunOutcome.words(counts, others))" }
        if done < total { words += ", \(Durations.words(left)) left" }
        if isTerminal {
            let filled = done * Self.width / total
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
            return "\r\(bar) \(words)\u{1B}[K"
        }
        let isTenth = done * 10 / total > (done - 1) * 10 / total
        return isTenth ? "retries: \(words)\n" : nil
    }

    /// What takes the bar away.
    var end: String { isTerminal ? "\r\u{1B}[K" : "" }
}
