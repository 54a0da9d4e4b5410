/// The simulation of retries: a suite with set-up steps that flake and bugs that show now and then.
///
/// It is run again and again under three ways to deal with a failure, and drawn for the README.
enum Simulation {
    /// As many commits are healthy as have bugs.
    private static let (seed, commits, tests, retries) = (UInt64(2026), 20_000, 300, 1)
    /// The number of tests that have a set-up step which flakes, how often it does, and its part of the test's time.
    private static let (flakySteps, flakeRate, setUpShare) = (60, 0.01, 0.3)
    /// The number of tests of a bad commit that meet a bug, outside of any flaky step, and how often it shows.
    private static let (bugs, bugRate) = (3, 0.5)

    private enum Strategy: String, CaseIterable {
        case noRetry = "no retry"
        case wholeTest = "retry whole tests"
        case section = "retry marked parts"
    }

    private struct Outcome {
        var strategy: Strategy
        /// The share of healthy commits that go red.
        var falseAlarms = 0.0
        /// The share of bugs that a run of their commit does not show.
        var missedBugs = 0.0
        /// Machine time until a healthy commit is green, red runs repeated as a whole; one clean run is 1.
        var time = 0.0
    }

    private static func outcome(of strategy: Strategy) -> Outcome {
        var dice = Dice(counter: seed)
        var (red, missed, time) = (0, 0, 0.0)
        for _ in 0..<commits {
            var run = runSuite(under: strategy, bugs: 0, &dice)
            time += run.time
            if run.isRed { red += 1 }
            while run.isRed {
                run = runSuite(under: strategy, bugs: 0, &dice)
                time += run.time
            }
            missed += bugs - runSuite(under: strategy, bugs: bugs, &dice).bugsSeen
        }
        return Outcome(
            strategy: strategy,
            falseAlarms: Double(red) / Double(commits),
            missedBugs: Double(missed) / Double(bugs * commits),
            time: time / Double(commits * tests)
        )
    }

    /// Runs the tests that have a flaky step or a bug, bugs first; the others pass and take their time.
    ///
    /// - Returns: The time is counted in tests.
    private static func runSuite(
        under strategy: Strategy,
        bugs: Int,
        _ dice: inout Dice
    ) -> (isRed: Bool, bugsSeen: Int, time: Double) {
        let thrown = max(flakySteps, bugs)
        var run = (isRed: false, bugsSeen: 0, time: Double(tests - thrown))
        for index in 0..<thrown {
            let (flakes, hasBug) = (index < flakySteps, index < bugs)
            var (hasFailed, showsBug) = (false, false)
            for _ in 0...(strategy == .noRetry ? 0 : retries) {
                run.time += setUpShare
                hasFailed = flakes && dice.roll() < flakeRate
                showsBug = false
                if hasFailed { continue }
                run.time += 1 - setUpShare
                showsBug = hasBug && dice.roll() < bugRate
                hasFailed = showsBug
                if !showsBug || strategy == .section { break }
            }
            run.isRed = run.isRed || hasFailed
            if showsBug { run.bugsSeen += 1 }
        }
        return run
    }

    // MARK: - The chart

    /// Text and lines: far enough from white and from GitHub's dark page, because nothing is drawn behind them.
    private static let grey = "#7a7f87"
    private static let colours: [Strategy: String] = [.noRetry: "#8b949e", .wholeTest: "#d08a2e", .section: "#2f9e5f"]
    private static let (width, left, gap, rowHeight, top) = (860.0, 150.0, 36.0, 34.0, 108.0)

    /// Returns the outcomes as an SVG picture.
    static func chart() -> String {
        let outcomes = Strategy.allCases.map(outcome)
        let bottom = top + rowHeight * Double(outcomes.count)
        let panels: [(title: String, subtitle: String, value: (Outcome) -> Double, isShare: Bool)] = [
            ("Healthy commits that go red", "false alarms: less is better", \.falseAlarms, true),
            ("Real bugs that go unseen", "in one run: less is better", \.missedBugs, true),
            ("Machine time until green", "one clean run is 1: less is better", \.time, false),
        ]
        let notes = [
            "Flakes: a marked set-up step fails in \(percent(flakeRate)) of its runs. Bugs: \(bugs) of them, each outside of every "
                + "marked part, each shows in \(percent(bugRate)) of its test's runs.",
            "Retrying whole tests gives a bug a second chance to hide. Retrying marked parts alone hides none that a run "
                + "without retries would show.",
            "A simulation: \(retries) retry, \(commits) healthy commits and as many with the bugs, seed \(seed). "
                + "A healthy commit that goes red is run again as a whole until it is green.",
        ]
        let spoken = outcomes.map { outcome in
            "\(outcome.strategy.rawValue): \(percent(outcome.falseAlarms)) of healthy commits go red, "
                + "\(percent(outcome.missedBugs)) of real bugs, which lie outside of every marked part, go unseen, "
                + "machine time until green \(outcome.time.text(2))"
        }
        let size = (width.text(0), (bottom + 26 + 17 * Double(notes.count)).text(0))
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size.0) \(size.1)\" width=\"\(size.0)\" "
                + "height=\"\(size.1)\" role=\"img\" aria-label=\"\(spoken.joined(separator: "; "))\" "
                + "font-family=\"-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif\">"
        ]
        func text(_ text: String, _ x: Double, _ y: Double, size: Int, weight: Int, anchor: String = "start") {
            lines.append(
                "<text x=\"\(x.text(1))\" y=\"\(y.text(1))\" font-size=\"\(size)\" font-weight=\"\(weight)\" "
                    + "fill=\"\(grey)\" text-anchor=\"\(anchor)\" dominant-baseline=\"central\">\(text)</text>"
            )
        }
        func middle(of row: Int) -> Double { top + rowHeight * (Double(row) + 0.5) - 4 }
        func weight(of outcome: Outcome) -> Int { outcome.strategy == .section ? 700 : 500 }

        let title = "What a retry saves, and what it hides: \(tests) tests, \(flakySteps) of them flaky"
        text(title, 10, 22, size: 16, weight: 700)
        for (row, outcome) in outcomes.enumerated() {
            let name = outcome.strategy.rawValue
            text(name, left - 14, middle(of: row), size: 14, weight: weight(of: outcome), anchor: "end")
        }
        let panelWidth = (width - left - gap * Double(panels.count - 1)) / Double(panels.count)
        for (column, panel) in panels.enumerated() {
            let x = left + Double(column) * (panelWidth + gap)
            text(panel.title, x, 62, size: 15, weight: 700)
            text(panel.subtitle, x, 82, size: 12, weight: 400)
            lines.append(
                "<path d=\"M\(x.text(1)) \((top - 8).text(1))V\(bottom.text(1))\" stroke=\"\(grey)\" stroke-opacity=\"0.5\"/>"
            )
            for (row, outcome) in outcomes.enumerated() {
                let value = panel.value(outcome)
                // The label stands to the right of the bar, so the bar leaves room for it.
                let length = max(2, value / (panel.isShare ? 1 : 2.5) * (panelWidth - 52))
                lines.append(
                    "<rect x=\"\(x.text(1))\" y=\"\((middle(of: row) - 10).text(1))\" width=\"\(length.text(1))\" "
                        + "height=\"20\" rx=\"2\" fill=\"\(colours[outcome.strategy] ?? grey)\"/>"
                )
                let label = panel.isShare ? percent(value) : value.text(2)
                text(label, x + length + 7, middle(of: row), size: 14, weight: weight(of: outcome))
            }
        }
        for (index, note) in notes.enumerated() {
            text(note, 10, bottom + 22 + 17 * Double(index), size: 12, weight: 400)
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    private static func percent(_ share: Double) -> String {
        let percent = share * 100
        return "\(percent.text(percent < 9.95 && percent != percent.rounded() ? 1 : 0)) %"
    }
}
