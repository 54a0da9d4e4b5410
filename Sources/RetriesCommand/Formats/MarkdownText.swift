import Groundwork

/// Text from tests, escaped for a cell of a Markdown table.
enum MarkdownText {
    private static let longest = 300
    /// The most bytes of a table: two are below the limit of `$GITHUB_STEP_SUMMARY`, which is 1 MiB.
    private static let limit = 450_000

    /// A table, and a line with the number of rows left out if there is no room for all; empty without rows.
    static func table(_ heads: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        // Without an empty line before it, a table is part of the paragraph.
        var text = "\n"
        for (index, cells) in ([heads, heads.map { _ in "---" }] + rows).enumerated() {
            let row = "| \(cells.joined(separator: " | ")) |\n"
            guard text.utf8.count + row.utf8.count < limit else {
                return "\(text)\n… and \((rows.count + 2 - index).of("more row")), left out for length.\n"
            }
            text += row
        }
        return text
    }

    /// Code, in which no text becomes a mention or a link.
    static func code(_ text: String) -> String { "<code>\(plain(text))</code>" }

    /// Text escaped so that it has no mark-up and ends neither its cell nor its row.
    static func plain(_ text: String) -> String {
        escaped(text.cut(to: longest))
    }

    /// Escaped text in which addresses are links.
    static func linked(_ text: String) -> String {
        text.cut(to: longest).linked(
            { "[\(escaped($0))](<\($0.replacingOccurrences(of: "&", with: "&amp;"))>)" },
            rest: escaped
        )
    }

    private static func escaped(_ text: String) -> String { text.escapingControlCharacters.replacing(special) }

    private static let special: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "@": "@\u{200B}", "\\": "\\\\", "`": "\\`", "*": "\\*",
        "_": "\\_", "[": "\\[", "]": "\\]", "~": "\\~", "#": "\\#", "$": "\\$", "!": "\\!",
    ]
}
