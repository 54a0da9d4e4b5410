import Groundwork

/// The tests that are new or changed, as `new` shows them; encoded as JSON.
struct NewTestResults: Encodable {
    /// The branch or commit with which the tests were compared.
    let since: String
    var tests: [NewTest]
    let headline: String
    /// What else is to be said, such as what did not run.
    var notes: [String] = []
}

enum NewTestsFormat: String, OutputFormat {
    case text, markdown, github, json

    var purpose: String {
        switch self {
        case .text: "for a terminal (the default)"
        case .markdown: "a table, for $GITHUB_STEP_SUMMARY or a comment"
        case .github: "annotations of GitHub Actions, at the lines of the tests"
        case .json: "for scripts: each test with its runs"
        }
    }

    func bytes(of results: NewTestResults) throws -> [UInt8] {
        switch self {
        case .text: Array(text(of: results).utf8)
        case .markdown: Array(markdown(of: results).utf8)
        case .github: Array(github(of: results).utf8)
        case .json: try JSONText.bytes(of: results)
        }
    }

    private func text(of results: NewTestResults) -> String {
        let rows = results.tests.map { ($0.name.onOneLine, $0.ending + ($0.cause.map { " → \($0)" } ?? "")) }
        let lines = results.tests.filter(\.isBad).flatMap { test in
            [test.failure.map { "\(test.name): \($0)" }, test.command.map { "To reproduce it: \($0)" }]
        }
        let table = rows.isEmpty ? "" : "\(Syntax.table(rows))\n"
        return "\(results.headline.onOneLine)\n\(table)"
            + (lines.compactMap(\.self) + results.notes).map { "\($0.onOneLine.atLineStart)\n" }.joined()
    }

    private func markdown(of results: NewTestResults) -> String {
        let rows = results.tests.map { test in
            let symbol = test.isBad ? "❌ " : test.verdict == .passed ? "✅ " : "⚠️ "
            let again = test.command.map { "<br>\(MarkdownText.code($0))" } ?? ""
            let failure = test.failure.map(MarkdownText.code) ?? ""
            let cause = test.cause.map { "<br>\(MarkdownText.plain($0))" } ?? ""
            return [MarkdownText.code(test.name) + again, symbol + MarkdownText.plain(test.ending) + cause, failure]
        }
        return "### \(MarkdownText.plain(results.headline))\n"
            + MarkdownText.table(["Test", "Runs", "First failure"], rows)
            + results.notes.map { "\n\(MarkdownText.plain($0).atLineStart)\n" }.joined()
    }

    private func github(of results: NewTestResults) -> String {
        let shown = results.tests.filter { $0.verdict != .passed }.sorted { $0.isBad && !$1.isBad }
        let lines = shown.prefix(10).map { test in
            let details = [test.ending, test.cause, test.failure, test.command.map { "again: \($0)" }]
            let place = SourcePlace(file: test.file, line: test.line)
            let text = details.compactMap(\.self).joined(separator: "\n")
            let kind = test.isBad ? "error" : "warning"
            return GitHubFormat.command(kind, place, title: "\(test.name) is \(test.verdict.rawValue)", text)
        }
        let more = shown.count > 10 ? ["and \((shown.count - 10).of("more test"))"] : []
        let notes = ([results.headline] + more + results.notes).joined(separator: "\n")
        return (lines + [GitHubFormat.command("notice", nil, title: "Retryable", notes)]).map { "\($0)\n" }.joined()
    }
}
