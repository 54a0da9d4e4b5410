/// The simulation as a picture, readable on a light page and on a dark one: nothing is drawn behind it, and its greys
/// stand out from both.
struct Chart {
    private let outcomes: [Simulation.Outcome]
    private let simulation: Simulation

    init(_ outcomes: [Simulation.Outcome], of simulation: Simulation) {
        self.outcomes = outcomes
        self.simulation = simulation
    }

    private struct Panel {
        var title: String
        var subtitle: String
        var value: (Simulation.Outcome) -> Double
        var label: (Double) -> String
        /// What a bar over the whole width stands for.
        var full: Double
    }

    private var panels: [Panel] {
        [
            Panel(
                title: "Healthy commits that go red",
                subtitle: "false alarms: less is better",
                value: \.falseAlarms,
                label: percent,
                full: 1
            ),
            Panel(
                title: "Real bugs that go unseen",
                subtitle: "in one run: less is better",
                value: \.missedBugs,
                label: percent,
                full: 1
            ),
            Panel(
                title: "Machine time until green",
                subtitle: "one clean run is 1: less is better",
                value: \.time,
                label: { $0.text(2) },
                full: 2.5
            ),
        ]
    }

    private let width = 860.0
    private let left = 150.0
    private let gap = 36.0
    private let rowHeight = 34.0
    private let top = 108.0

    /// Text and lines: far enough from white and from GitHub's dark page.
    private let grey = "#7a7f87"

    private func colour(of strategy: Simulation.Strategy) -> String {
        switch strategy {
        case .noRetry: "#8b949e"
        case .wholeTest: "#d08a2e"
        case .section: "#2f9e5f"
        }
    }

    var svg: String {
        let bottom = top + rowHeight * Double(outcomes.count)
        let height = bottom + 26 + 17 * Double(notes.count)
        let panelWidth = (width - left - gap * Double(panels.count - 1)) / Double(panels.count)
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width.text(0)) \(height.text(0))\" "
                + "width=\"\(width.text(0))\" height=\"\(height.text(0))\" role=\"img\" aria-label=\"\(spoken)\" "
                + "font-family=\"-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif\">"
        ]
        lines.append(text(title, x: 10, y: 22, size: 16, "700", anchor: "start"))
        for (row, outcome) in outcomes.enumerated() {
            let weight = outcome.strategy == .section ? "700" : "500"
            lines.append(
                text(words(for: outcome.strategy), x: left - 14, y: middle(of: row), size: 14, weight, anchor: "end")
            )
        }
        for (column, panel) in panels.enumerated() {
            let x = left + Double(column) * (panelWidth + gap)
            lines += draw(panel, x: x, width: panelWidth, bottom: bottom)
        }
        for (index, note) in notes.enumerated() {
            lines.append(text(note, x: 10, y: bottom + 22 + 17 * Double(index), size: 12, "400", anchor: "start"))
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    private func draw(_ panel: Panel, x: Double, width: Double, bottom: Double) -> [String] {
        var lines = [
            text(panel.title, x: x, y: 62, size: 15, "700", anchor: "start"),
            text(panel.subtitle, x: x, y: 82, size: 12, "400", anchor: "start"),
            "<path d=\"M\(x.text(1)) \((top - 8).text(1))V\(bottom.text(1))\" stroke=\"\(grey)\" stroke-opacity=\"0.5\"/>",
        ]
        for (row, outcome) in outcomes.enumerated() {
            let value = panel.value(outcome)
            // The label stands to the right of the bar, so the bar leaves room for it.
            let length = max(2, value / panel.full * (width - 52))
            lines.append(
                "<rect x=\"\(x.text(1))\" y=\"\((middle(of: row) - 10).text(1))\" width=\"\(length.text(1))\" "
                    + "height=\"20\" rx=\"2\" fill=\"\(colour(of: outcome.strategy))\"/>"
            )
            lines.append(
                text(
                    panel.label(value),
                    x: x + length + 7,
                    y: middle(of: row),
                    size: 14,
                    outcome.strategy == .section ? "700" : "500",
                    anchor: "start"
                )
            )
        }
        return lines
    }

    private func middle(of row: Int) -> Double { top + rowHeight * (Double(row) + 0.5) - 4 }

    private func text(
        _ words: String,
        x: Double,
        y: Double,
        size: Int,
        _ weight: String,
        anchor: String
    ) -> String {
        "<text x=\"\(x.text(1))\" y=\"\(y.text(1))\" font-size=\"\(size)\" font-weight=\"\(weight)\" fill=\"\(grey)\" "
            + "text-anchor=\"\(anchor)\" dominant-baseline=\"central\">\(words)</text>"
    }

    private var title: String {
        "What a retry saves, and what it hides: \(simulation.tests) tests, \(simulation.flakySteps) of them flaky"
    }

    private func words(for strategy: Simulation.Strategy) -> String {
        switch strategy {
        case .noRetry: "no retry"
        case .wholeTest: "retry whole tests"
        case .section: "retry marked parts"
        }
    }

    private var notes: [String] {
        let flakes = (simulation.flakeRate * 100).text(0)
        let bugs = (simulation.bugRate * 100).text(0)
        return [
            "Flakes: a marked set-up step fails in \(flakes) % of its runs. Bugs: \(simulation.bugs) of them, each outside of every "
                + "marked part, each shows in \(bugs) % of its test's runs.",
            "Retrying whole tests gives a bug a second chance to hide. Retrying marked parts alone hides none that a run "
                + "without retries would show.",
            "A simulation: \(simulation.retries) retry, \(simulation.commits) healthy commits and as many with the bugs, "
                + "seed \(simulation.seed). A healthy commit that goes red is run again as a whole until it is green.",
        ]
    }

    /// The same for those who hear it.
    private var spoken: String {
        outcomes.map { outcome in
            "\(words(for: outcome.strategy)): \(percent(outcome.falseAlarms)) of healthy commits go red, "
                + "\(percent(outcome.missedBugs)) of real bugs, which lie outside of every marked part, go unseen, "
                + "machine time until green \(outcome.time.text(2))"
        }.joined(separator: "; ")
    }
}
