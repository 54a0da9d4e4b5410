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
                title: "A healthy commit goes red",
                subtitle: "share of commits",
                value: \.falseAlarms,
                label: percent,
                full: 1
            ),
            Panel(
                title: "A real bug slips through",
                subtitle: "share of bugs, one run",
                value: \.missedBugs,
                label: percent,
                full: 1
            ),
            Panel(
                title: "Machine time until green",
                subtitle: "one clean run is 1",
                value: \.time,
                label: { $0.text(2) },
                full: 2.5
            ),
        ]
    }

    private let width = 860.0
    private let left = 140.0
    private let gap = 36.0
    private let rowHeight = 34.0
    private let top = 74.0

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
        let height = bottom + 62
        let panelWidth = (width - left - gap * Double(panels.count - 1)) / Double(panels.count)
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width.text(0)) \(height.text(0))\" "
                + "width=\"\(width.text(0))\" height=\"\(height.text(0))\" role=\"img\" aria-label=\"\(spoken)\" "
                + "font-family=\"-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif\">"
        ]
        for (row, outcome) in outcomes.enumerated() {
            let weight = outcome.strategy == .section ? "700" : "500"
            lines.append(
                text(outcome.strategy.rawValue, x: left - 14, y: middle(of: row), size: 14, weight, anchor: "end")
            )
        }
        for (column, panel) in panels.enumerated() {
            let x = left + Double(column) * (panelWidth + gap)
            lines += draw(panel, x: x, width: panelWidth, bottom: bottom)
        }
        for (index, note) in notes.enumerated() {
            lines.append(text(note, x: 10, y: bottom + 30 + 17 * Double(index), size: 12, "400", anchor: "start"))
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    private func draw(_ panel: Panel, x: Double, width: Double, bottom: Double) -> [String] {
        var lines = [
            text(panel.title, x: x, y: 28, size: 15, "700", anchor: "start"),
            text(panel.subtitle, x: x, y: 48, size: 12, "400", anchor: "start"),
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

    private var notes: [String] {
        [
            "Simulated: \(simulation.tests) tests, \(simulation.flakySteps) with a set-up step that flakes in "
                + "\((simulation.flakeRate * 100).text(0)) % of runs; \(simulation.bugs) bugs that each show in "
                + "\((simulation.bugRate * 100).text(0)) % of runs;",
            "\(simulation.retries) retry; \(simulation.commits) healthy commits and as many with the bugs; "
                + "seed \(simulation.seed). A red run of a healthy commit is repeated as a whole.",
        ]
    }

    /// The same for those who hear it.
    private var spoken: String {
        outcomes.map { outcome in
            "\(outcome.strategy.rawValue): a healthy commit goes red in \(percent(outcome.falseAlarms)), "
                + "\(percent(outcome.missedBugs)) of bugs slip through, time \(outcome.time.text(2))"
        }.joined(separator: "; ")
    }
}
