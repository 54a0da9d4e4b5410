import Groundwork
import RetryReport

/// Workflow commands of GitHub Actions, which become annotations: errors for failed tests, warnings for flaky ones.
///
/// GitHub shows ten of each kind for a step and drops the rest without a word: so there are ten, and a notice that counts
/// the others.
struct GitHubFormat {
    let overview: Overview

    private static let limit = 10
    private static let longestText = 2000

    var text: String {
        var errors = overview.warning.map { [command("error", nil, title: "Retryable", $0)] } ?? []
        errors += overview.tests.filter(\.isBad).map(annotation)
        let warnings =
            overview.tests.filter { !$0.isBad }.map(annotation) + overview.report.worstStepsFirst.map(annotation)
        var lines = errors.prefix(Self.limit) + warnings.prefix(Self.limit)
        let left = errors.dropFirst(Self.limit).count + warnings.dropFirst(Self.limit).count
        if left > 0 {
            let sentences = [overview.headline, overview.report.stepSentence].compactMap(\.self)
            let message = "and \(left) more. \(sentences.joined(separator: "; "))"
            lines.append(command("notice", nil, title: "Retryable", message))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func annotation(_ test: FlakyTest) -> String {
        var message = "\(test.fullName) \(test.ending)."
        if !test.isUnmarked { message += "\nReason: \(test.reason) (\(test.markName))" }
        for (attempt, failure) in test.shownFailures {
            let place = overview.rooted(failure).atPlace
            message += "\nAttempt \(attempt): \(failure.displayMessage.cut(to: Self.longestText))\(place)"
        }
        if let busyMachine = test.busyMachine { message += "\nIt \(busyMachine)." }
        message += "\nRun it again: \(overview.command(for: [test]))"
        let title = "\(test.label) \(test.name)"
        guard test.isBad else { return command("warning", test, title: title, message) }
        let failed = test.shownFailures.first { $0.failure.file != nil }?.failure
        return command("error", failed ?? test, title: title, message)
    }

    private func annotation(_ step: Step) -> String {
        let message = "The step \"\(step.action)\" of \(step.fullName) \(step.ending)"
        return command("warning", step, title: "STEP \(step.action)", message)
    }

    private func command(_ name: String, _ located: (any Located)?, title: String, _ message: String) -> String {
        var properties: [String] = []
        let place = located.map { overview.rooted($0) }
        if let file = place?.file {
            properties.append("file=\(property(file))")
            if let line = place?.line { properties.append("line=\(line)") }
        }
        properties.append("title=\(property(title.cut(to: 200)))")
        return "::\(name) \(properties.joined(separator: ","))::\(data(message))"
    }

    /// A message as GitHub asks for it; other control characters are made visible.
    private func data(_ text: String) -> String {
        text.escapingControlCharacters(except: ["\n", "\r"]).replacing(["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    private func property(_ text: String) -> String {
        data(text).replacing([":": "%3A", ",": "%2C"])
    }
}
