import Groundwork
import RetryReport

/// Workflow commands of GitHub Actions, which become annotations: errors for failed tests, warnings for flaky ones.
///
/// GitHub silently drops all but the first ten of each kind in a step. So there are at most ten, and a notice counts the rest.
struct GitHubFormat {
    let overview: Overview

    private static let limit = 10

    var text: String {
        var errors = overview.warning.map { [Self.command("error", nil, title: "Retryable", $0)] } ?? []
        errors += overview.tests.filter(\.isBad).map(annotation)
        let warnings =
            overview.tests.filter { !$0.isBad }.map(annotation) + overview.report.worstStepsFirst.map(annotation)
        var lines = errors.prefix(Self.limit) + warnings.prefix(Self.limit)
        let left = errors.count + warnings.count - lines.count
        if left > 0 {
            lines.append(Self.command("notice", nil, title: "Retryable", "and \(left) more. \(overview.summary)"))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func annotation(_ test: TestRecord) -> String {
        let details = test.details { overview.rooted($0).atPlace }
        let lines = ["\(test.fullName) \(test.ending)"] + details + ["again: \(overview.command(for: [test]))"]
        let failed = test.shownAttempts.compactMap(\.mainFailure).first { test.isBad && $0.file != nil }
        let place = overview.rooted(failed ?? test)
        let title = "\(test.look.label) \(test.name)"
        return Self.command(test.isBad ? "error" : "warning", place, title: title, lines.joined(separator: "\n"))
    }

    private func annotation(_ step: Step) -> String {
        Self.command("warning", overview.rooted(step), title: "STEP \(step.action)", step.sentence)
    }

    /// - Parameter place: A place whose path begins at the root of the repository.
    static func command(_ name: String, _ place: SourcePlace?, title: String, _ message: String) -> String {
        var properties: [String] = []
        if let file = place?.file {
            properties.append("file=\(property(file))")
            if let line = place?.line { properties.append("line=\(line)") }
        }
        properties.append("title=\(property(title.cut(to: 200)))")
        return "::\(name) \(properties.joined(separator: ","))::\(data(message))"
    }

    /// A message as GitHub expects it; other control characters are made visible.
    private static func data(_ text: String) -> String {
        text.escapingControlCharacters(except: ["\n", "\r"]).replacing(["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    private static func property(_ text: String) -> String {
        data(text).replacing([":": "%3A", ",": "%2C"])
    }
}
