/// What text is written for.
struct Terminal: Hashable {
    var width = 80
    var hasColor = false
}

/// Lines for a terminal: a label, and beside it words that are wrapped and indented.
///
/// Text from tests stands on one line of its own words, and never at the beginning of a line: so none of it can pass for a
/// line of ours, or for a command to a CI that reads the log.
struct TextLines {
    enum Style: String {
        case good = "\u{1B}[1;32m"
        case flaky = "\u{1B}[1;33m"
        case bad = "\u{1B}[1;31m"
        case plain = "\u{1B}[1m"
    }

    let terminal: Terminal
    /// Where the words begin.
    var margin = 9
    /// Texts that are longer are cut.
    var longest = 2000
    private(set) var text = ""

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - label: What stands before the words.
    ///   - words: The words.
    ///   - style: The label's.
    ///   - isTitle: Whether the words stand out, too.
    ///   - isWhole: Whether the words stay on one line however long it is: for a command, which is copied.
    mutating func add(
        _ label: String = "",
        _ words: String,
        _ style: Style? = nil,
        isTitle: Bool = false,
        isWhole: Bool = false
    ) {
        let words = isWhole ? words.onOneLine : words.cut(to: longest).onOneLine
        let lines = isWhole ? [words] : words.wrapped(to: max(20, terminal.width - margin))
        for (index, line) in lines.enumerated() {
            let label = index == 0 ? label : ""
            let gap = String(repeating: " ", count: max(1, margin - label.count))
            if terminal.hasColor, let style, index == 0 || isTitle {
                let words = isTitle ? "\(Style.plain.rawValue)\(line)\(Self.reset)" : line
                text += label.isEmpty ? "\(gap)\(words)\n" : "\(style.rawValue)\(label)\(Self.reset)\(gap)\(words)\n"
            } else {
                text += "\(label)\(gap)\(line)\n"
            }
        }
    }

    mutating func addGap() {
        if !text.isEmpty { text += "\n" }
    }

    private static let reset = "\u{1B}[0m"
}
