import Foundation
import Groundwork
import RetryReport

/// A report as a Block Kit message, ready to be posted to a webhook.
///
/// Slack refuses a message that has more than fifty blocks, more than 3,000 characters in a text or, which is not
/// documented, more than about 13,000 characters in all.
struct SlackFormat {
    private static let mostRecords = 45
    private static let mostText = 11_000
    /// The greatest length of each text in a record, escaped.
    private static let longestText = 400

    func message(of overview: Overview) -> SlackMessage {
        var facts = overview.facts.map(plain)
        if let job = overview.job { facts.append("<\(job.replacingOccurrences(of: "|", with: "%7C"))|the CI job>") }
        var texts = overview.warning.map { ["⚠️ \(plain($0))"] } ?? []
        texts.append(facts.joined(separator: " · "))
        let records = overview.tests.map { text($0, of: overview) } + overview.report.worstStepsFirst.map(text)
        var room = Self.mostText
        let shown = records.prefix(Self.mostRecords).prefix { record in
            room -= record.utf16.count
            return room >= 0
        }
        texts += shown
        if records.count > shown.count { texts.append("… and \(records.count - shown.count) more") }
        let sections = texts.map { SlackMessage.Block(text: .init(text: $0)) }
        let headline = SlackMessage.Text(type: "plain_text", text: overview.headline, verbatim: nil)
        return SlackMessage(text: overview.summary, blocks: [.init(type: "header", text: headline)] + sections)
    }

    private func text(_ test: TestRecord, of overview: Overview) -> String {
        let heading = "\(test.look.symbol) *\(test.look.label)* \(code(test.fullName)): \(test.ending)"
        // Slack makes no links in code.
        let links = test.mark.reason.cut(to: Self.longestText)
            .linked({ "<\($0.replacingOccurrences(of: "&", with: "&amp;"))> " }, rest: { _ in "" })
        let details = test.details(cutTo: 250).map(code) + (links.isEmpty ? [] : [links])
        let lines = [heading] + details + [code(overview.command(for: [test]))]
        return lines.joined(separator: "\n")
    }

    private func text(_ step: Step) -> String {
        "\(step.succeeded ? "⚠️" : "❌") *STEP* \(plain(step.sentence + step.atPlace))"
    }

    private func code(_ text: String) -> String { "`\(plain(text))`" }

    /// Text from tests without links, mentions, or an end of the code or of the line.
    ///
    /// Slack cannot escape the characters that style text, so similar ones stand for them.
    private func plain(_ text: String) -> String {
        var plain = ""
        for scalar in text.cut(to: Self.longestText).escapingControlCharacters.unicodeScalars {
            plain += Self.special[scalar] ?? String(scalar)
            if plain.utf16.count >= Self.longestText { return "\(plain)…" }
        }
        return plain
    }

    private static let special: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "ˋ", "*": "∗", "~": "∼",
    ]
}

struct SlackMessage: Encodable {
    /// For notifications, which show no blocks.
    var text: String
    var blocks: [Block]

    struct Block: Encodable {
        var type = "section"
        var text: Text
    }

    struct Text: Encodable {
        var type = "mrkdwn"
        var text: String
        /// Keeps names in text from tests from notifying people.
        var verbatim: Bool? = true
    }
}
