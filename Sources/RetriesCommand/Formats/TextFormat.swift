import RetryReport

/// For a terminal: the failures, what was flaky, and at the end, where a reader looks first, the totals.
struct TextFormat {
    let terminal: Terminal

    func text(of overview: Overview) -> String {
        var lines = TextLines(terminal)
        for test in overview.unmarked { add(test, to: &lines) }
        for retry in overview.report.worstFirst { add(retry, to: &lines) }
        for step in overview.report.worstStepsFirst { add(step, to: &lines) }
        lines.addGap()
        addSummary(of: overview, to: &lines)
        return lines.text
    }

    private func add(_ test: SwiftPMResults.Test, to lines: inout TextLines) {
        lines.add("FAILED", test.fullName, .bad, isTitle: true)
        lines.add("failed outside of every section, \(Durations.words(test.duration))")
        for message in test.messages.prefix(3) { lines.add("with: \(message)") }
        lines.add("again: \(TestFilter(test).command)", isWhole: true)
    }

    private func add(_ retry: FlakyTest, to lines: inout TextLines) {
        lines.add(retry.label, retry.fullName, retry.isBad ? .bad : .flaky, isTitle: true)
        lines.add(retry.attempts.isEmpty ? "\(retry.ending)" : "\(retry.ending); \(Durations.words(retry.duration))")
        lines.add("reason: \(retry.reason) (\(retry.markName))\(retry.atPlace)")
        if let run = retry.run { lines.add("run: \(run)") }
        for (attempt, failure) in [retry.firstFailure, retry.finalFailure].compactMap({ $0 }) {
            lines.add("attempt \(attempt): \(failure.displayMessage.cut(to: 1000))\(failure.atPlace)")
        }
        lines.add("again: \(retry.filter.command)", isWhole: true)
    }

    private func add(_ step: Step, to lines: inout TextLines) {
        lines.add("STEP", step.action, step.succeeded ? .flaky : .bad, isTitle: true)
        lines.add("\(step.ending); \(Durations.words(step.duration))")
        lines.add("in \(step.fullName)\(step.atPlace)")
    }

    private func addSummary(of overview: Overview, to lines: inout TextLines) {
        let totals = overview.totals
        let isBad = totals.failed + totals.pending > 0 || overview.warning != nil
        lines.add("SUMMARY", overview.headline, isBad ? .bad : totals.flaky > 0 ? .flaky : .good, isTitle: true)
        for sentence in [totals.cost, totals.stepSentence].compactMap({ $0 }) { lines.add(sentence) }
        if let warning = overview.warning { lines.add("WARNING", warning, .bad) }
        for sentence in [overview.when, overview.mode, overview.code, overview.job, overview.limitation] {
            if let sentence { lines.add(sentence) }
        }
    }
}

extension TextLines {
    fileprivate mutating func add(_ words: String, isWhole: Bool = false) {
        add("", words, isWhole: isWhole)
    }
}
