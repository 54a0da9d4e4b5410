import RetryReport

/// A shape that a report can be shown in.
enum Format: String, CaseIterable {
    case text, markdown, html, json, junit, ctrf, github, slack

    var purpose: String {
        switch self {
        case .text: "for a terminal (the default)"
        case .markdown: "a table, for $GITHUB_STEP_SUMMARY or a comment"
        case .html: "one file for a browser, no network"
        case .json: "a report again: all of them as one"
        case .junit: "for Jenkins, GitLab, Allure: flakyFailure, rerunFailure"
        case .ctrf: "the Common Test Report Format"
        case .github: "annotations of GitHub Actions"
        case .slack: "a Block Kit message, for curl -d @-"
        }
    }

    /// `report` in this shape.
    ///
    /// - Parameter color: Whether it goes to a terminal that shows colours.
    func bytes(of report: Report, color: Bool) throws -> [UInt8] {
        switch self {
        case .json: report.json()
        case .text: Array(TextFormat(color: color).text(of: report).utf8)
        case .markdown: Array(MarkdownFormat().text(of: report).utf8)
        case .github: Array(GitHubFormat().text(of: report).utf8)
        case .junit: Array(JUnitFormat().text(of: report).utf8)
        case .ctrf: try JSONText.bytes(of: CTRFFormat().document(of: report))
        case .slack: try JSONText.bytes(of: SlackFormat().message(of: report))
        case .html: Array(HTMLFormat().text(of: report).utf8)
        }
    }
}
