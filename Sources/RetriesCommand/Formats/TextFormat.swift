import Groundwork
import RetryReport

/// A report for a terminal: a line for each test and step, the totals, and then the details of the tests.
struct TextFormat {
    let terminal: Terminal

    func text(of overview: Overview) -> String {
        var lines = TextLines(terminal)
        for test in overview.tests {
            lines.add(test.label, "\(test.fullName): \(test.ending)", test.isBad ? .bad : .flaky)
        }
        for step in overview.report.worstStepsFirst {
            lines.add("STEP", "\(step.sentence)\(step.atPlace)", step.succeeded ? .flaky : .bad)
        }
        lines.add("SUMMARY", overview.headline, overview.style, isTitle: true)
        if let warning = overview.warning { lines.add("WARNING", warning, .bad) }
        for fact in overview.facts { lines.add(fact) }
        if overview.allTests == nil { lines.add("--xunit FILE adds all others") }
        if let age = overview.age { lines.add("The last event was \(age)") }
        if let job = overview.job { lines.add(job) }
        for test in overview.tests {
            lines.addGap()
            lines.add(test.label, test.fullName, test.isBad ? .bad : .flaky, isTitle: true)
            lines.add(test.attempts.isEmpty ? test.ending : "\(test.ending); \(Durations.text(test.duration))")
            for detail in test.details() { lines.add(detail) }
            lines.add("again: \(overview.command(for: [test]))")
        }
        return lines.text
    }
}

/// The colors of the terminal that text is written for.
struct Terminal: Hashable {
    var hasColor = false
}

/// Lines for a terminal, each with a label and text beside it.
///
/// Text from tests never stands at the beginning of a line, so that it cannot look like the command's own line, or like a
/// command to a CI that reads the log. The terminal breaks long lines, so that a place can still be copied or clicked.
struct TextLines {
    enum Style: String {
        case good = "\u{1B}[1;32m"
        case flaky = "\u{1B}[1;33m"
        case bad = "\u{1B}[1;31m"
        case plain = "\u{1B}[1m"
    }

    /// The column in which the text begins.
    private static let margin = 9
    /// The greatest length; longer texts are cut.
    private static let longest = 2000
    private let terminal: Terminal
    private(set) var text = ""

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// Adds a line without a label.
    mutating func add(_ content: String) { add("", content, nil) }

    /// Adds a line whose label has a style.
    ///
    /// - Parameter isTitle: The text is bold.
    mutating func add(_ label: String, _ content: String, _ style: Style?, isTitle: Bool = false) {
        var line = content.cut(to: Self.longest).onOneLine
        // GitHub treats a line that begins with two colons as a command, even after spaces.
        if line.drop(while: { $0 == " " }).hasPrefix("::") { line = "\\\(line)" }
        let gap = String(repeating: " ", count: max(1, Self.margin - label.count))
        text += "\(styled(label, style))\(gap)\(styled(line, isTitle ? .plain : nil))\n"
    }

    mutating func addGap() {
        if !text.isEmpty { text += "\n" }
    }

    private func styled(_ text: String, _ style: Style?) -> String {
        guard terminal.hasColor, let style, !text.isEmpty else { return text }
        return "\(style.rawValue)\(text)\u{1B}[0m"
    }
}
