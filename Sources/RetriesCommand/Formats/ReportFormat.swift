import RetryReport

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

    /// `overview` in this shape.
    ///
    /// - Parameter terminal: What text is written for.
    func bytes(of overview: Overview, for terminal: Terminal = Terminal()) throws -> [UInt8] {
        switch self {
        case .json: try overview.report.json()
        case .text: Array(TextFormat(terminal: terminal).text(of: overview).utf8)
        case .markdown: Array(MarkdownFormat().text(of: overview).utf8)
        case .github: Array(GitHubFormat().text(of: overview).utf8)
        case .junit: Array(JUnitFormat().text(of: overview).utf8)
        case .slack: try JSONText.bytes(of: SlackFormat().message(of: overview))
        case .html: Array(HTMLFormat().text(of: overview).utf8)
        case .filter: Array((TestFilter.expression(for: overview.filters) + "\n").utf8)
        }
    }
}

extension Overview {
    /// What runs again all that failed or was flaky, failures first.
    fileprivate var filters: [TestFilter] { unmarked.map(TestFilter.init) + report.worstFirst.map(\.filter) }
}
