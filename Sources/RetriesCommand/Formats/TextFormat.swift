import RetryReport

/// A report for a terminal: a line for each test and step, the totals, and then the details of the tests.
struct TextFormat {
    let hasColor: Bool

    func text(of overview: Overview) -> String {
        var lines = TextLines(hasColor: hasColor)
        for test in overview.tests {
            lines.add(test.look.label, "\(test.fullName): \(test.ending)", test.isBad ? .bad : .flaky)
        }
        for step in overview.report.worstStepsFirst {
            lines.add("STEP", "\(step.sentence)\(step.atPlace)", step.succeeded ? .flaky : .bad)
        }
        lines.add("SUMMARY", overview.headline, overview.style, isTitle: true)
        if let warning = overview.warning { lines.add("WARNING", warning, .bad) }
        for fact in overview.facts { lines.add(fact) }
        if overview.allTests == nil { lines.add("--xunit FILE adds all others") }
        if let age = overview.report.age(at: overview.now) { lines.add("The last event was \(age)") }
        if let job = overview.job { lines.add(job) }
        for test in overview.tests {
            lines.addGap()
            lines.add(test.look.label, test.fullName, test.isBad ? .bad : .flaky, isTitle: true)
            lines.add(test.attempts.isEmpty ? test.ending : "\(test.ending); \(Durations.text(test.duration))")
            for detail in test.details() { lines.add(detail) }
            lines.add("again: \(overview.command(for: [test]))")
        }
        return lines.text
    }
}
