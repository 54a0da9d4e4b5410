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

    /// GitHub takes a line that begins with two colons for a command, and a break may put text from a test there.
    private var asContinuation: String {
        drop { $0 == " " }.hasPrefix("::") ? "\\" + self : self
    }
}

extension StringProtocol {
    /// How many columns of a terminal this text takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Character {
    /// Two for what is drawn twice as wide as a letter: ideographs, Hangul, full-width forms, emoji.
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
