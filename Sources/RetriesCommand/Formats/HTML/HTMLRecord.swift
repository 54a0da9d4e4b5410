import Groundwork
import RetryReport

/// One test on the page: a row, and what unfolds below it.
struct HTMLRecord {
    let retry: FlakyTest
    let overview: Overview
    /// The seconds that the whole width of a strip stands for.
    let longest: Double
    /// Whether it is unfolded from the start.
    let isOpen: Bool

    static let longestMessage = 20_000

    var html: String {
        let attributes = [
            ("outcome", kind), ("mark", retry.markName), ("module", retry.module ?? ""),
            ("time", String(max(0, retry.duration.milliseconds))), ("attempts", String(retry.attemptCount)),
        ]
        return HTMLRow(
            attributes: HTMLText.data(attributes),
            isOpen: isOpen,
            badge: (kind, retry.label),
            name: "<code class=\"name\">\(escaped(retry.name))</code>",
            why: why,
            strip: strip,
            time: Durations.words(retry.duration),
            more: [facts, HTMLPart.command(retry.filter.command)] + retry.attempts.map(attempt)
        ).html
    }

    private var kind: String { retry.outcome?.rawValue ?? "unknown" }

    private var why: String {
        let words = [retry.module, retry.ending, retry.firstFailure?.failure.words.cut(to: 200)]
        return words.compactMap { $0.map(escaped) }.joined(separator: " · ")
    }

    /// The attempts as blocks; who cannot see them hears what they say.
    private var strip: String {
        let words = retry.attempts.map {
            "attempt \($0.number) \($0.outcome.rawValue) after \(Durations.words($0.duration))"
        }
        let label = words.isEmpty ? "no attempts recorded" : words.joined(separator: ", ")
        let blocks = retry.attempts.map { attempt in
            let permille = longest > 0 ? Int(min(max(attempt.duration / longest, 0), 1) * 1000) : 0
            let width = "\(permille / 10).\(permille % 10)%"
            return "<span class=\"block \(attempt.outcome.rawValue)\" style=\"width:\(width)\"></span>"
        }
        return "<span class=\"strip\" role=\"img\" aria-label=\"\(label)\">\(blocks.joined())</span>"
    }

    private var facts: String {
        var facts = [("Mark", "\(retry.markName), at most \(retry.maxRetriesAllowed.plausible.of("retry", "retries"))")]
        if let place = retry.place { facts.append(("Section", HTMLPart.place(place, link: overview.link(to: retry)))) }
        if let run = retry.run { facts.append(("Run", "<code>\(escaped(run))</code>")) }
        return HTMLPart.facts(facts)
    }

    /// What failed first and last is open.
    private func attempt(_ attempt: AttemptRecord) -> String {
        let isTelling = [retry.firstFailure?.attempt, retry.finalFailure?.attempt].contains(attempt.number)
        let failures = attempt.failures.map { failure in
            let place = failure.place.map { " at \(HTMLPart.place($0, link: overview.link(to: failure)))" } ?? ""
            let aftermath = failure.isAftermath ? ", after the flake and because of it" : ""
            let message = escaped(failure.words.cut(to: Self.longestMessage))
            return
                "<pre tabindex=\"0\">\(message)</pre><p class=\"soft\">\(failure.kind.rawValue)\(place)\(aftermath)</p>"
        }
        return """
            <details class="attempt \(attempt.outcome.rawValue)"\(isTelling ? " open" : "")>
            <summary>Attempt \(attempt.number): \(attempt.outcome.rawValue) \
            <span class="soft">after \(Durations.words(attempt.duration)), begun \(Times.words(attempt.startedAt))</span></summary>
            \(failures.isEmpty ? "<p class=\"soft\">Nothing failed.</p>" : failures.joined(separator: "\n"))
            </details>
            """
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
