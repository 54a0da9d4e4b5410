/// The width and the colors of the terminal that text is written for.
struct Terminal: Hashable {
    /// The number of columns. Elsewhere than on a terminal lines are not wrapped, so that places and messages can be searched.
    var width = Int.max
    var hasColor = false
}

/// Lines for a terminal: a label, and beside it text that is wrapped and indented.
///
/// Text from tests never stands at the beginning of a line, so that it cannot pass for a line of the command's own, or for a
/// command to a CI that reads the log.
struct TextLines {
    enum Style: String {
        case good = "\u{1B}[1;32m"
        case flaky = "\u{1B}[1;33m"
        case bad = "\u{1B}[1;31m"
        case plain = "\u{1B}[1m"
    }

    let terminal: Terminal
    /// The column in which the text begins.
    let margin = 9
    /// The greatest length; longer texts are cut.
    private let longest = 2000
    private(set) var text = ""

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// Adds a line without a label.
    mutating func add(_ text: String, isWhole: Bool = false) {
        add("", text, isWhole: isWhole)
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - label: The label before the text.
    ///   - content: The text.
    ///   - style: The style of the label.
    ///   - isTitle: The text is bold.
    ///   - isWhole: The text stays on one line however long it is: for a command, which is copied.
    mutating func add(
        _ label: String,
        _ content: String,
        _ style: Style? = nil,
        isTitle: Bool = false,
        isWhole: Bool = false
    ) {
        let content = isWhole ? content.onOneLine : content.cut(to: longest).onOneLine
        let lines = isWhole ? [content] : content.wrapped(to: max(20, terminal.width - margin))
        for (index, line) in lines.enumerated() {
            let label = index == 0 ? label : ""
            let gap = String(repeating: " ", count: max(1, margin - label.count))
            if terminal.hasColor, let style, index == 0 || isTitle {
                let line = isTitle ? "\(Style.plain.rawValue)\(line)\(Self.reset)" : line
                text += label.isEmpty ? "\(gap)\(line)\n" : "\(style.rawValue)\(label)\(Self.reset)\(gap)\(line)\n"
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

extension String {
    /// This text in lines of at most `width` columns, broken between words; a word that is longer than a line is broken
    /// inside.
    func wrapped(to width: Int) -> [String] {
        var lines = [""]
        var room = width
        func begin() {
            lines.append("")
            room = width
        }
        func add(_ text: some StringProtocol, columns: Int) {
            lines[lines.count - 1] += text
            room -= columns
        }
        for (index, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            let columns = word.columns
            if index > 0 {
                if columns < room { add(" ", columns: 1) } else { begin() }
            }
            guard columns > room else {
                add(word, columns: columns)
                continue
            }
            for character in word {
                if character.columns > room, room < width { begin() }
                add(String(character), columns: character.columns)
            }
        }
        return lines.map(\.asContinuation)
    }

    /// This line, changed if GitHub would take it for a command because it begins with two colons.
    private var asContinuation: String {
        drop { $0 == " " }.hasPrefix("::") ? "\\" + self : self
    }
}

extension StringProtocol {
    /// The number of columns of a terminal that this text takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Character {
    /// Two for characters twice as wide as a letter: ideographs, Hangul, full-width forms, emoji.
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
        if unicodeScalars.contains("\u{FE0F}") || scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
