import RetryReport

/// One test on the page: a row, and what unfolds below it.
struct HTMLRecord {
    let retry: Retry
    /// The seconds that the whole width of a strip stands for.
    let longest: Double

    private static let longestMessage = 20_000

    var html: String {
        """
        <li><details>
        <summary>
        <span class="badge \(kind)">\(retry.label)</span>
        <span class="test"><code class="name">\(escaped(retry.name))</code>
        <span class="why">\(why)</span></span>
        \(strip)
        <span class="time">\(retry.duration.seconds) s</span>
        </summary>
        <div class="more">
        \(facts)
        \(retry.attempts.map(attempt).joined(separator: "\n"))
        </div>
        </details></li>

        """
    }

    private var kind: String { retry.outcome?.rawValue ?? "unknown" }

    private var why: String {
        let module = retry.module.map { "\(escaped($0)) · " } ?? ""
        return "\(module)\(escaped(retry.reason.cut(to: Self.longestMessage)))"
    }

    /// The attempts as blocks; who cannot see them hears what they say.
    private var strip: String {
        let words = retry.attempts.map { "attempt \($0.number) \($0.outcome.rawValue) after \($0.duration.seconds) s" }
        let label = words.isEmpty ? "no attempts recorded" : words.joined(separator: ", ")
        let blocks = retry.attempts.map { attempt in
            let permille = longest > 0 ? Int(min(max(attempt.duration / longest, 0), 1) * 1000) : 0
            let width = "\(permille / 10).\(permille % 10)%"
            let title = "attempt \(attempt.number): \(attempt.outcome.rawValue), \(attempt.duration.seconds) s"
            return
                "<span class=\"block \(attempt.outcome.rawValue)\" style=\"width:\(width)\" title=\"\(title)\"></span>"
        }
        return "<span class=\"strip\" role=\"img\" aria-label=\"\(label)\">\(blocks.joined())</span>"
    }

    private var facts: String {
        var facts = [("Mark", "\(retry.markName), at most \(retry.maxRetriesAllowed.sane.of("retry", "retries"))")]
        facts.append(("Outcome", "\(retry.ending)"))
        if let place = retry.place { facts.append(("Section", "<code>\(escaped(place))</code>")) }
        if let run = retry.run { facts.append(("Run", "<code>\(escaped(run))</code>")) }
        let rows = facts.map { "<dt>\($0)</dt><dd>\($1)</dd>" }
        return "<dl>\(rows.joined())</dl>"
    }

    private func attempt(_ attempt: Retry.Attempt) -> String {
        let start = HTMLFormat.time(attempt.startedAt)
        let failures = attempt.failures.map { failure in
            let place = failure.place.map { " at <code>\(escaped($0))</code>" } ?? ""
            let aftermath = failure.isAftermath ? ", after the flake and because of it" : ""
            let message = escaped(failure.words.cut(to: Self.longestMessage))
            return
                "<pre tabindex=\"0\">\(message)</pre><p class=\"soft\">\(failure.kind.rawValue)\(place)\(aftermath)</p>"
        }
        return """
            <section class="attempt \(attempt.outcome.rawValue)">
            <h3>Attempt \(attempt.number): \(attempt.outcome.rawValue)</h3>
            <p class="soft">\(attempt.duration.seconds) s, started \(start)</p>
            \(failures.joined(separator: "\n"))
            </section>
            """
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
