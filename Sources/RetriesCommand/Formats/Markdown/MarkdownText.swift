import Groundwork

/// Text that comes from tests, as a cell of a Markdown table can hold it.
enum MarkdownText {
    private static let longest = 300

    /// As code: nobody is mentioned in it, nothing becomes a link.
    static func code(_ text: String) -> String {
        "<code>\(plain(text))</code>"
    }

    /// No mark-up, no end of the cell, no end of the row.
    static func plain(_ text: String) -> String {
        text.cut(to: longest).escapingControlCharacters.substituting { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "|": "&#124;"
            case "@": "@\u{200B}"
            case "\\", "`", "*", "_", "[", "]", "~", "#", "$", "!": "\\\(scalar)"
            default: nil
            }
        }
    }
}
