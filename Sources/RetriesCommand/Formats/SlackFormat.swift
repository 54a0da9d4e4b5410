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
        var blocks = [SlackMessage.Block.header(overview.headline)]
        if let warning = overview.warning { blocks.append(.section("⚠️ \(plain(warning))")) }
        var facts = [overview.when, overview.mode, overview.code].compactMap(\.self).map(plain)
        if let job = overview.job { facts.append("<\(job.replacingOccurrences(of: "|", with: "%7C"))|the CI job>") }
        var lines = [facts.joined(separator: " · "), overview.report.cost, overview.limitation].compactMap(\.self)
        lines.removeAll(where: \.isEmpty)
        if !lines.isEmpty { blocks.append(.section(lines.joined(separator: "\n"))) }
        let records =
            overview.tests.map { text($0, overview.command(for: [$0])) } + overview.report.worstStepsFirst.map(text)
        var room = Self.mostText
        let shown = records.prefix(Self.mostRecords).prefix { record in
            room -= record.utf16.count
            return room >= 0
        }
        blocks += shown.map(SlackMessage.Block.section)
        if records.count > shown.count { blocks.append(.section("… and \(records.count - shown.count) more")) }
        let summary = [overview.headline, overview.report.stepSentence].compactMap(\.self).joined(separator: "; ")
        return SlackMessage(text: summary, blocks: blocks)
    }

    private func text(_ test: FlakyTest, _ command: String) -> String {
        var text = "\(test.symbol) *\(test.label)* \(code(test.fullName)): \(test.ending)"
        if !test.isUnmarked { text += "\nReason: \(plain(test.reason)) (\(test.markName))" }
        if let place = test.place { text += ", \(code(place))" }
        if let (attempt, failure) = test.mainFailure {
            text += "\nAttempt \(attempt): \(code(failure.displayMessage))"
            if let place = failure.place { text += ", \(code(place))" }
        }
        return "\(text)\n\(code(command))"
    }

    private func text(_ step: Step) -> String {
        let outcome = step.succeeded ? "⚠️ *STEP*" : "❌ *STEP FAILED*"
        let place = step.place.map { ", \(code($0))" } ?? ""
        return "\(outcome) \(plain(step.action)): \(step.ending)\nIn \(code(step.fullName))\(place)"
    }

    private func code(_ text: String) -> String {
        "`\(plain(text))`"
    }

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
        var type: String
        var text: Text

        static func header(_ text: String) -> Block {
            Block(type: "header", text: Text(type: "plain_text", text: text))
        }

        static func section(_ text: String) -> Block {
            Block(type: "section", text: Text(type: "mrkdwn", text: text, verbatim: true))
        }
    }

    struct Text: Encodable {
        var type: String
        var text: String
        /// Keeps names in text from tests from notifying people.
        var verbatim: Bool?
    }
}
