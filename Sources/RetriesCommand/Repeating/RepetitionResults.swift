/// The results of many runs, as `repeat` and `why` show them; encoded as JSON.
struct RepetitionResults: Encodable {
    let conditions: [ConditionComparison.Row]
    let outcomes: [RepetitionOutcome: Int]
    let marks: [SuggestedMark]
    /// The tests that ran as is, by their names in the output, for `why`.
    var tests: [String]?
    /// The marks that were entered, for `repeat`.
    var history: History?
    /// The earlier runs of `repeat --than`.
    var before: Tally?
    /// The names of the conditions that matter, for `why`.
    var causes: [String]?
    /// A sentence for each data race; `nil` if none was looked for.
    var races: [String]?
    /// The tests that make another one fail, for `why`.
    var otherTests: OtherTests?
    var sentences: [String] = []
    /// The command that reproduces the clearest cause; the last of ``sentences`` announces it.
    var command: String?
    var totals: [String] = []
}

enum ResultFormat: String, OutputFormat {
    case text, markdown, json

    var purpose: String {
        switch self {
        case .text: "for a terminal (the default)"
        case .markdown: "a table, for a comment"
        case .json: "for scripts: conditions, causes, command, marks"
        }
    }

    func bytes(of results: RepetitionResults, hasColor: Bool) throws -> [UInt8] {
        switch self {
        case .text: Array(text(of: results, hasColor: hasColor).utf8)
        case .markdown: Array(markdown(of: results).utf8)
        case .json: try JSONText.bytes(of: results)
        }
    }

    private func text(of results: RepetitionResults, hasColor: Bool) -> String {
        var text = results.history?.text(hasColor: hasColor) ?? ""
        if results.conditions.count > 1 {
            let table = results.conditions.map { row in
                let note = row.condition == nil ? "  runs failed or flaked (\(row.tally.interval.text))" : ""
                return (row.name.replacingOccurrences(of: "-", with: " "), row.tally.text + note + row.significance)
            }
            text += "\(Syntax.table(table))\n\n"
        }
        var lines = results.sentences
        if let command = results.command { lines.append("  \(command)") }
        lines += results.marks.flatMap { ["", $0.sentence, $0.advice] } + results.totals
        return text + lines.map { "\($0.onOneLine.atLineStart)\n" }.joined()
    }

    private func markdown(of results: RepetitionResults) -> String {
        var text = results.history?.markdown ?? ""
        let rows = results.conditions.map { [$0.name, $0.tally.text, $0.significance] }
        if rows.count > 1 { text += MarkdownText.table(["Condition", "Failed or flaked", "p"], rows) }
        var paragraphs = results.sentences.map(MarkdownText.plain)
        if let command = results.command { paragraphs.append(MarkdownText.code(command)) }
        paragraphs += results.marks.map { "- \(MarkdownText.plain($0.sentence))<br>\(MarkdownText.code($0.advice))" }
        return text + (paragraphs + results.totals.map(MarkdownText.plain)).map { "\n\($0.atLineStart)\n" }.joined()
    }
}

extension ConditionComparison.Row: Encodable {
    private enum CodingKeys: CodingKey { case name, p }

    package func encode(to encoder: any Encoder) throws {
        try tally.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encodeIfPresent(p, forKey: .p)
    }

    fileprivate var name: String { condition?.rawValue ?? "as-is" }
    fileprivate var significance: String { isCause == true ? "  \(Tally.text(p: p ?? 1))" : "" }
}
