import Foundation
import RetryReport

/// A page for a person: one file that needs nothing else, not even scripts.
struct HTMLFormat {
    func text(of overview: Overview) -> String {
        let report = overview.report
        let totals = overview.totals
        let longest = report.retries.map(\.duration).max() ?? 0
        let records = report.worstFirst.map { HTMLRecord(retry: $0, longest: longest).html }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <title>\(overview.headline)</title>
            <style>
            \(HTMLStyle.text)
            </style>
            </head>
            <body>
            <header>
            <h1>\(overview.headline)</h1>
            \(report.run.map(run) ?? "")
            </header>
            <main>
            \(numbers(totals, of: report))
            \(records.isEmpty ? Self.nothing : Self.tools + list(of: records))
            \(steps(report.steps))
            </main>
            <script>
            \(HTMLScript.text)
            </script>
            </body>
            </html>

            """
    }

    /// A time as a person reads it.
    static func time(_ date: Date) -> String {
        let text = Timestamp.text(date)
        let words = "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
        return "<time datetime=\"\(text)\">\(words)</time>"
    }

    private static let nothing = """
        <p class="empty">No test had to be retried.</p>
        """

    private static let tools = """
        <div class="tools">
        <div class="filter" role="search" hidden><label for="filter">Filter by name, reason or message</label>
        <input id="filter" type="search" autocomplete="off" spellcheck="false"></div>
        <ul class="legend" aria-label="Attempts, their widths to scale with their durations">
        <li><span class="block flaked"></span>flaked</li>
        <li><span class="block passed"></span>passed</li>
        <li><span class="block failed"></span>failed</li>
        <li><span class="block skipped"></span>skipped</li>
        </ul>
        <output id="count" class="soft" for="filter" aria-live="polite"></output>
        </div>

        """

    private func list(of records: [String]) -> String {
        """
        <h2 class="unseen">Tests that flaked</h2>
        <ul class="tests" role="list">
        \(records.joined())</ul>
        """
    }

    private func run(_ run: Report.Run) -> String {
        let end = run.finishedAt.map { " to \(Self.time($0))" } ?? "; it has no end: a process of it died"
        let mode = run.mode == "retry" ? "" : ", mode \(HTMLText.escaped(run.mode))"
        return "<p class=\"soft\">Run from \(Self.time(run.startedAt))\(end)\(mode)</p>"
    }

    private func numbers(_ totals: Totals, of report: Report) -> String {
        let first = report.retries.reduce(0) { $0 + ($1.attempts.first?.duration ?? 0) }
        let all = report.retries.reduce(0) { $0 + $1.duration }
        var cards = [
            ("", "\(totals.retried)", "retried"),
            (totals.flaky > 0 ? "recovered" : "", "\(totals.flaky)", "flaky"),
        ]
        cards.append((totals.failed > 0 ? "failed" : "", "\(totals.failed)", "failed"))
        if totals.pending > 0 { cards.append(("pending", "\(totals.pending)", "pending")) }
        if totals.unknown > 0 { cards.append(("", "\(totals.unknown)", "of unknown outcome")) }
        cards.append(("", "\(totals.retries)", totals.retries == 1 ? "retry" : "retries"))
        cards.append(("", "\(Durations.words(all - first))", "spent on retries"))
        if totals.steps > 0 { cards.append(("", "\(totals.stepRetries)", "retries of steps")) }
        let items = cards.map { kind, number, words in "<li class=\"\(kind)\"><b>\(number)</b> \(words)</li>" }
        return "<ul class=\"totals\" aria-label=\"Totals\">\(items.joined(separator: "\n"))</ul>"
    }

    private func steps(_ steps: [Step]) -> String {
        guard !steps.isEmpty else { return "" }
        let rows = steps.map { step in
            let place = step.place.map { "<br><code>\(HTMLText.escaped($0))</code>" } ?? ""
            let outcome = step.succeeded ? "succeeded" : "failed"
            return """
                <tr><td><span class="badge \(step.succeeded ? "" : "failed")">\(outcome)</span></td>\
                <td>\(HTMLText.escaped(step.action))\(place)</td><td><code>\(HTMLText.escaped(step.fullName))</code></td>\
                <td>\(step.retries.sane)</td><td>\(step.duration.seconds) s</td></tr>
                """
        }
        return """
            <h2 id="steps">Steps that needed a retry</h2>
            <div class="wide"><table aria-labelledby="steps">
            <thead><tr><th scope="col">Outcome</th><th scope="col">Step</th><th scope="col">Test</th>\
            <th scope="col">Retries</th><th scope="col">Time</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody>
            </table></div>
            """
    }
}
