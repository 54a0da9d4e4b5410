import Groundwork
import RetryReport

/// Workflow commands of GitHub Actions, which become annotations: errors for what failed, warnings for what was flaky.
///
/// GitHub shows ten of each kind of a step and drops the rest without a word: so there are ten, and a notice that counts
/// those left out.
struct GitHubFormat {
    private static let limit = 10
    private static let longestText = 2000

    func text(of overview: Overview) -> String {
        var errors = overview.warning.map { [command("error", nil, title: "Retryable", $0)] } ?? []
        errors += overview.unmarked.map(annotation)
        var warnings: [String] = []
        for retry in overview.report.worstFirst {
            if retry.isBad { errors.append(annotation(retry)) } else { warnings.append(annotation(retry)) }
        }
        for step in overview.report.worstStepsFirst { warnings.append(annotation(step)) }
        var lines = errors.prefix(Self.limit) + warnings.prefix(Self.limit)
        let left = errors.dropFirst(Self.limit).count + warnings.dropFirst(Self.limit).count
        if left > 0 {
            let sentences = [overview.headline, overview.totals.stepSentence].compactMap { $0 }
            let message = "and \(left) more. \(sentences.joined(separator: "; "))"
            lines.append(command("notice", nil, title: "Retryable", message))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func annotation(_ test: SwiftPMResults.Test) -> String {
        let message = "\(test.fullName) failed outside of every section.\n\(test.message.cut(to: Self.longestText))"
        let again = "\nRun it again: \(TestFilter(test).command)"
        return command("error", nil, title: "FAILED \(test.name.name)", message + again)
    }

    private func annotation(_ retry: FlakyTest) -> String {
        var message = "\(retry.fullName) \(retry.ending).\nReason: \(retry.reason) (\(retry.markName))"
        for (attempt, failure) in [retry.firstFailure, retry.finalFailure].compactMap({ $0 }) {
            message += "\nAttempt \(attempt): \(failure.displayMessage.cut(to: Self.longestText))\(failure.atPlace)"
        }
        message += "\nRun it again: \(retry.filter.command)"
        let title = "\(retry.label) \(retry.name)"
        guard retry.isBad else { return command("warning", retry, title: title, message) }
        let failures: [Failure] = [retry.finalFailure?.failure, retry.firstFailure?.failure].compactMap { $0 }
        let lineThatFailed: (any Located)? = failures.first { $0.file != nil }
        return command("error", lineThatFailed ?? retry, title: title, message)
    }

    private func annotation(_ step: Step) -> String {
        let message = "The step \"\(step.action)\" of \(step.fullName) \(step.ending)"
        return command("warning", step, title: "STEP \(step.action)", message)
    }

    private func command(_ name: String, _ place: (any Located)?, title: String, _ message: String) -> String {
        var properties: [String] = []
        if let file = place?.file {
            properties.append("file=\(property(file))")
            if let line = place?.line { properties.append("line=\(line)") }
        }
        properties.append("title=\(property(title.cut(to: 200)))")
        return "::\(name) \(properties.joined(separator: ","))::\(data(message))"
    }

    /// What GitHub asks to be escaped in a message; other control characters are made visible.
    private func data(_ text: String) -> String {
        text.escapingControlCharacters(except: ["\n", "\r"]).writing(["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    private func property(_ text: String) -> String {
        data(text).writing([":": "%3A", ",": "%2C"])
    }
}
