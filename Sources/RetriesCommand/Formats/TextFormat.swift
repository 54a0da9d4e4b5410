import RetryReport

/// For a terminal.
///
/// Every line begins with words of ours, and text from tests stands on one line: so none of it can pass for a line of
/// ours, or for a command to a CI that reads the log.
struct TextFormat {
    let color: Bool
    /// Where the words after the verdict begin.
    private static let margin = 16
    private static let longestText = 1000

    func text(of report: Report) -> String {
        let totals = Totals(report)
        var text = ""
        for retry in report.retries { text += record(retry) }
        for step in report.steps { text += record(step) }
        if !text.isEmpty { text += "\n" }
        text += line("Summary", totals.sentence, style: totals.failed + totals.pending > 0 ? .bad : .plain)
        if totals.retries > 0 { text += line("", totals.retries.of("retry", "retries")) }
        if let steps = totals.stepSentence { text += line("", steps) }
        return text
    }

    private func record(_ retry: Retry) -> String {
        let time = retry.attempts.isEmpty ? "" : " [\(retry.duration.seconds)s]"
        var text = line(retry.verdict, retry.fullName + time, style: Style(retry.outcome), isTitle: true)
        text += line("", "reason: \(retry.reason) (\(retry.markName))")
        if let place = retry.place { text += line("", "section: \(place)") }
        if let run = retry.run { text += line("", "run: \(run)") }
        if let (attempt, failure) = retry.firstFailure { text += line(attempt, failure) }
        if let (attempt, failure) = retry.finalFailure { text += line(attempt, failure) }
        if retry.outcome == .pending { text += line("", "ended: before it could be retried; did its process die?") }
        return text
    }

    private func record(_ step: Step) -> String {
        let verdict = step.succeeded ? "STEP" : "STEP FAILED"
        let count = step.retries.sane.of("retry", "retries")
        var text = line(
            verdict,
            "\(step.action) [\(step.duration.seconds)s]",
            style: step.succeeded ? .flaky : .bad,
            isTitle: true
        )
        text += line("", "took: \(count), in \(step.fullName)")
        if let place = step.place { text += line("", "step: \(place)") }
        return text
    }

    // MARK: - Lines

    private func line(_ attempt: Int, _ failure: Failure) -> String {
        let place = failure.place.map { ", at \($0)" } ?? ""
        return line("", "attempt \(attempt): \(failure.words.cut(to: Self.longestText))\(place)")
    }

    private enum Style: String {
        case flaky = "\u{1B}[1;33m"
        case bad = "\u{1B}[1;31m"
        case plain = "\u{1B}[1m"

        init(_ outcome: Retry.Outcome?) {
            switch outcome {
            case .recovered, nil: self = .flaky
            case .failed, .pending: self = .bad
            }
        }
    }

    private func line(_ label: String, _ words: String, style: Style? = nil, isTitle: Bool = false) -> String {
        let label = label.indented(to: Self.margin)
        let words = words.cut(to: Self.longestText * 2).onOneLine
        guard color, let style else { return "\(label) \(words)\n" }
        return "\(style.rawValue)\(label)\u{1B}[0m \(isTitle ? "\u{1B}[1m\(words)\u{1B}[0m" : words)\n"
    }
}
