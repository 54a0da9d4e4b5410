import Foundation
import RetryReport

/// The shapes in which a command can show something; the first is the default.
protocol OutputFormat: CaseIterable, RawRepresentable<String> {
    /// The reader or the tool that it is for.
    var purpose: String { get }
}

extension OutputFormat {
    /// The option that asks for a shape.
    static var option: Syntax.Option {
        ("--format FORMAT", Syntax.table(allCases.map { ($0.rawValue, $0.purpose) }))
    }

    /// The shape that the arguments ask for; `nil` if they ask for none.
    init?(_ arguments: Arguments) throws {
        guard let format = try arguments.choice("--format", of: Self.self) else { return nil }
        self = format
    }
}

extension Command {
    /// The option that says where the output goes.
    static var outputOption: Syntax.Option {
        ("--output FILE", "Write to this file, whole or not at all, instead of standard output.")
    }
}

/// A shape that a report can be shown in.
enum ReportFormat: String, OutputFormat {
    case text, markdown, html, json, junit, github, slack, filter

    var purpose: String {
        switch self {
        case .text: "for a terminal (the default)"
        case .markdown: "a table, for $GITHUB_STEP_SUMMARY or a comment"
        case .html: "one file for a browser, no network"
        case .json: "a report again: all of them as one"
        case .junit: "Surefire's: failure, flakyFailure, rerunFailure"
        case .github: "annotations of GitHub Actions"
        case .slack: "a Block Kit message, for curl -d @-"
        case .filter: "an expression for swift test --filter: all of these tests"
        }
    }

    func bytes(of overview: Overview, for terminal: Terminal = Terminal()) throws -> [UInt8] {
        switch self {
        case .text: Array(TextFormat(terminal: terminal).text(of: overview).utf8)
        case .markdown: Array(MarkdownFormat(overview: overview).text.utf8)
        case .html: Array(HTMLFormat(overview: overview).text.utf8)
        case .json: try overview.report.json()
        case .junit: Array(JUnitFormat().text(of: overview).utf8)
        case .github: Array(GitHubFormat(overview: overview).text.utf8)
        case .slack: try JSONText.bytes(of: SlackFormat().message(of: overview))
        case .filter: Array((overview.tests.commonFilter + "\n").utf8)
        }
    }
}

/// JSON for other tools: the same value is always the same bytes.
enum JSONText {
    static func bytes(of value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in try Timestamp.text(date).encode(to: encoder) }
        return [UInt8](try encoder.encode(value)) + "\n".utf8
    }
}
