/// One line of the table: a ratio, and the mark that it has to keep.
struct Row {
    /// The thing that is measured.
    var what: String
    /// The measure of it.
    var against: String
    /// The first in terms of the second; `nil` if it could not be measured.
    var ratio: Double?
    /// The absolute figures.
    var detail = ""
    /// The ratio that keeps the mark at most.
    var atMost: Double

    var isMissed: Bool { !((ratio ?? .nan) <= atMost) }
}

/// The rows as GitHub's Markdown, with columns of one width.
func table(of rows: [Row]) -> String {
    let head = ["what", "against", "ratio", "mark", "", "measured"]
    let body = rows.map { row in
        let ratio = row.ratio.map { $0.text(3) } ?? "not measured"
        return [row.what, row.against, ratio, "≤ \(row.atMost)", row.isMissed ? "missed" : "kept", row.detail]
    }
    let widths = head.indices.map { column in ([head] + body).map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
        let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        return "| \(padded.joined(separator: " | ")) |"
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([head, rule] + body).map(line).joined(separator: "\n")
}
