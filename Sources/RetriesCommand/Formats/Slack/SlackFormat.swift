import Groundwork
import RetryReport

/// A Block Kit message, ready to be posted to a webhook.
///
/// Slack refuses a message whole if it has more than fifty blocks, or a text of more than 3,000 characters in one.
struct SlackFormat {
    private static let mostRecords = 45
    private static let longestText = 400

    func message(of report: Report) -> SlackMessage {
        let totals = Totals(report)
        let records = report.retries.map(text) + report.steps.map(text)
        var blocks = [SlackMessage.Block.header(totals.sentence)]
        blocks += records.prefix(Self.mostRecords).map(SlackMessage.Block.section)
        if records.count > Self.mostRecords {
            blocks.append(.section("… and \(records.count - Self.mostRecords) more"))
        }
        let summary = [totals.sentence, totals.stepSentence].compactMap { $0 }.joined(separator: "; ")
        return SlackMessage(text: summary, blocks: blocks)
    }

    private func text(_ retry: Retry) -> String {
        var text =
            "\(symbol(retry)) *\(retry.verdict)* \(code(retry.fullName))\n\(plain(retry.reason)) (\(retry.markName))"
        if let place = retry.place { text += ", \(code(place))" }
        if let (attempt, failure) = retry.firstFailure {
            text += "\nAttempt \(attempt): \(code(failure.words))"
            if let place = failure.place { text += ", \(code(place))" }
        }
        return text
    }

    private func text(_ step: Step) -> String {
        let outcome = step.succeeded ? ":warning: *STEP*" : ":x: *STEP FAILED*"
        let place = step.place.map { ", \(code($0))" } ?? ""
        let count = step.retries.sane.of("retry", "retries")
        return "\(outcome) \(plain(step.action))\nTook \(count) in \(code(step.fullName))\(place)"
    }

    private func symbol(_ retry: Retry) -> String {
        switch retry.outcome {
        case .recovered, nil: ":warning:"
        case .failed: ":x:"
        case .pending: ":hourglass:"
        }
    }

    private func code(_ text: String) -> String {
        "`\(plain(text))`"
    }

    /// Text that comes from tests: no link, no mention, no end of the code or of the line. Slack has no way to write the
    /// letters that style text, so others stand for them.
    private func plain(_ text: String) -> String {
        text.cut(to: Self.longestText).escapingControlCharacters.substituting { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "`": "ˋ"
            case "*": "∗"
            case "~": "∼"
            default: nil
            }
        }
    }
}
