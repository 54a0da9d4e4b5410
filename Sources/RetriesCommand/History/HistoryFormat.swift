/// A shape that a history can be shown in.
enum HistoryFormat: String, OutputFormat {
    case text, markdown, html, json

    var purpose: String {
        switch self {
        case .text: "for a terminal (the default)"
        case .markdown: "a table, for $GITHUB_STEP_SUMMARY or a comment"
        case .html: "one file for a browser, no network"
        case .json: "for other tools"
        }
    }

    /// `history` in this shape.
    func bytes(of history: History, for terminal: Terminal) throws -> [UInt8] {
        switch self {
        case .text: Array(HistoryTextFormat(terminal).text(of: history).utf8)
        case .markdown: Array(HistoryMarkdownFormat().text(of: history).utf8)
        case .html: Array(HistoryHTMLFormat().text(of: history).utf8)
        case .json: try JSONText.bytes(of: HistoryDocument(history))
        }
    }
}
