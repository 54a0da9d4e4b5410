import Groundwork

/// Text that comes from tests, as a cell of a Markdown table can hold it.
enum MarkdownText {
    private static let longest = 300
    /// `$GITHUB_STEP_SUMMARY` takes a mebibyte.
    private static let limit = 900_000

    /// Adds the rows of a table, so many as there is room for, and how many are left out.
    static func add(_ rows: [String], to text: inout String, rest: String) {
        for (index, row) in rows.enumerated() {
            guard text.utf8.count + row.utf8.count < limit else {
                text += "\n… and \((rows.count - index).of("more \(rest)")), left out for length.\n"
                return
            }
            text += row
        }
    }

    /// As code, in which no text becomes a mention or a link.
    static func code(_ text: String) -> String {
        "<code>\(plain(text))</code>"
    }

    /// No mark-up, no end of the cell, no end of the row.
    static func plain(_ text: String) -> String {
        text.cut(to: longest).escapingControlCharacters.writing(special)
    }

    private static let special: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "@": "@\u{200B}", "\\": "\\\\", "`": "\\`", "*": "\\*",
        "_": "\\_", "[": "\\[", "]": "\\]", "~": "\\~", "#": "\\#", "$": "\\$", "!": "\\!",
    ]
}
