import RetryReport

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

    func bytes(of overview: Overview, hasColor: Bool = false) throws -> [UInt8] {
        switch self {
        case .text: Array(TextFormat(hasColor: hasColor).text(of: overview).utf8)
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
