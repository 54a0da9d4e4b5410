import RetryReport

/// A report for a terminal: failures, flaky tests, steps and, at the end, where a reader looks first, the totals.
struct TextFormat {
    let terminal: Terminal

    func text(of overview: Overview) -> String {
        var lines = TextLines(terminal)
        for test in overview.unmarked { add(test, to: &lines) }
        for test in overview.report.retries.worstFirst { add(test, to: &lines) }
        for step in overview.report.worstStepsFirst { add(step, to: &lines) }
        lines.addGap()
        addSummary(of: overview, to: &lines)
        return lines.text
    }

    private func add(_ test: SwiftPMResults.Test, to lines: inout TextLines) {
        lines.add("FAILED", test.fullName, .bad, isTitle: true)
        lines.add("failed outside of every section, \(Durations.text(test.duration))")
        for message in test.messages.prefix(3) { lines.add("with: \(message)") }
        lines.add("again: \(TestFilter(test).command)", isWhole: true)
    }

    private func add(_ test: FlakyTest, to lines: inout TextLines) {
        lines.add(test.label, test.fullName, test.isBad ? .bad : .flaky, isTitle: true)
        lines.add(test.attempts.isEmpty ? "\(test.ending)" : "\(test.ending); \(Durations.text(test.duration))")
        lines.add("reason: \(test.reason) (\(test.markName))\(test.atPlace)")
        if let run = test.run { lines.add("run: \(run)") }
        for (attempt, failure) in test.shownFailures {
            lines.add("attempt \(attempt): \(failure.displayMessage.cut(to: 1000))\(failure.atPlace)")
        }
        if let busyMachine = test.busyMachine { lines.add(busyMachine) }
        lines.add("again: \(test.filter.command)", isWhole: true)
    }

    private func add(_ step: Step, to lines: inout TextLines) {
        lines.add("STEP", step.action, step.succeeded ? .flaky : .bad, isTitle: true)
        lines.add("\(step.ending); \(Durations.text(step.duration))")
        lines.add("in \(step.fullName)\(step.atPlace)")
    }

    private func addSummary(of overview: Overview, to lines: inout TextLines) {
        let totals = overview.totals
        let isBad = totals.failed + totals.pending > 0 || overview.warning != nil
        lines.add("SUMMARY", overview.headline, isBad ? .bad : totals.flaky > 0 ? .flaky : .good, isTitle: true)
        for sentence in [totals.cost, totals.stepSentence].compactMap(\.self) { lines.add(sentence) }
        if let warning = overview.warning { lines.add("WARNING", warning, .bad) }
        let limitation = overview.limitation.map { "\($0) --xunit FILE adds all others." }
        for sentence in [overview.whenWithAge, overview.mode, overview.code, overview.job, limitation] {
            if let sentence { lines.add(sentence) }
        }
    }
}
