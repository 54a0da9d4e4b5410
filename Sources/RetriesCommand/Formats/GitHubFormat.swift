import Groundwork
import RetryReport

/// Workflow commands of GitHub Actions, which become annotations.
///
/// GitHub shows ten warnings of a step and drops the rest without a word: so there are ten, the worst ones, and a notice
/// that counts those left out, which has a limit of its own.
struct GitHubFormat {
    private static let limit = 10
    private static let longestText = 2000

    func text(of report: Report) -> String {
        let warnings = report.worstFirst.map(warning) + report.steps.map(warning)
        var lines = Array(warnings.prefix(Self.limit))
        if warnings.count > Self.limit {
            let totals = Totals(report)
            let sentence = [totals.sentence, totals.stepSentence].compactMap { $0 }.joined(separator: "; ")
            lines.append("::notice title=Retryable::and \(warnings.count - Self.limit) more. \(sentence)")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func warning(_ retry: Retry) -> String {
        var message = "\(retry.fullName) \(retry.ending).\nReason: \(retry.reason) (\(retry.markName))"
        if let (attempt, failure) = retry.firstFailure {
            let place = failure.place.map { ", at \($0)" } ?? ""
            message += "\nAttempt \(attempt): \(failure.words.cut(to: Self.longestText))\(place)"
        }
        return command(retry.file, retry.line, title: "\(retry.verdict) \(retry.name)", message)
    }

    private func warning(_ step: Step) -> String {
        let outcome = step.succeeded ? "succeeded" : "failed"
        let message =
            "The step \"\(step.action)\" of \(step.fullName) \(outcome) after \(step.retries.sane.of("retry", "retries"))"
        return command(step.file, step.line, title: "STEP \(step.action)", message)
    }

    private func command(_ file: String?, _ line: Int?, title: String, _ message: String) -> String {
        var properties: [String] = []
        if let file { properties.append("file=\(property(file))") }
        if file != nil, let line { properties.append("line=\(line)") }
        properties.append("title=\(property(title.cut(to: 200)))")
        return "::warning \(properties.joined(separator: ","))::\(data(message))"
    }

    /// What GitHub asks to be escaped in a message; other control characters are made visible.
    private func data(_ text: String) -> String {
        text.escapingControlCharacters(except: ["\n", "\r"]).substituting { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            default: nil
            }
        }
    }

    private func property(_ text: String) -> String {
        data(text).substituting { scalar in
            switch scalar {
            case ":": "%3A"
            case ",": "%2C"
            default: nil
            }
        }
    }
}
