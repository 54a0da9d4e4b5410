import Groundwork

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
    let hasColor: Bool
    private(set) var text = ""

    mutating func add(_ content: String) { add("", content, nil) }

    mutating func add(_ label: String, _ content: String, _ style: Style?, isTitle: Bool = false) {
        let line = content.cut(to: 2000).onOneLine.atLineStart
        let gap = String(repeating: " ", count: max(1, Self.margin - label.count))
        text += "\(styled(label, style))\(gap)\(styled(line, isTitle ? .plain : nil))\n"
    }

    mutating func addGap() {
        if !text.isEmpty { text += "\n" }
    }

    private func styled(_ text: String, _ style: Style?) -> String {
        guard hasColor, let style, !text.isEmpty else { return text }
        return "\(style.rawValue)\(text)\u{1B}[0m"
    }
}
