import Foundation

/// One line of the table: a ratio, and what it may be.
struct Row {
    /// What is measured, and against what.
    var what: String
    var against: String
    /// The first in terms of the second; `nil` if it could not be measured.
    var ratio: Double?
    /// What stands beside the ratio.
    var detail = ""
    var mark: Mark?
    /// What is known of why the mark is missed, if it is.
    var why: String?

    /// What a ratio has to keep.
    enum Mark: CustomStringConvertible {
        case below(Double)
        case atMost(Double)

        var description: String {
            switch self {
            case .below(let limit): "< \(limit)"
            case .atMost(let limit): "≤ \(limit)"
            }
        }

        func isKept(by ratio: Double) -> Bool {
            switch self {
            case .below(let limit): ratio < limit
            case .atMost(let limit): ratio <= limit
            }
        }
    }

    var isMissed: Bool {
        guard let mark, let ratio else { return false }
        return !mark.isKept(by: ratio)
    }

    var shown: String { ratio.map { $0.text(3) } ?? "not measured" }

    /// The row as `--json` prints it.
    struct ForMachines: Encodable {
        var what: String
        var against: String
        var ratio: Double?
        var mark: String?
        var missed: Bool
        var detail: String
        var why: String?
    }

    var forMachines: ForMachines {
        ForMachines(
            what: what,
            against: against,
            ratio: ratio,
            mark: mark?.description,
            missed: isMissed,
            detail: detail,
            why: isMissed ? why : nil
        )
    }
}

/// The rows for people; GitHub shows them as a table.
struct Table {
    private let rows: [Row]

    init(_ rows: [Row]) {
        self.rows = rows
    }

    var text: String {
        guard !rows.isEmpty else { return "" }
        let head = ["what", "against", "ratio", "mark", "", "measured"]
        let body = rows.map { row in
            [
                row.what, row.against, row.shown, row.mark?.description ?? "shown",
                row.mark == nil || row.ratio == nil ? "" : row.isMissed ? "missed" : "kept", row.detail,
            ]
        }
        let widths = head.indices.map { column in ([head] + body).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            "| " + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ")
                + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
        let reasons = rows.filter(\.isMissed).compactMap { row in row.why.map { "\(row.what) misses its mark: \($0)" } }
        return ([line(head), rule] + body.map(line) + reasons).joined(separator: "\n") + "\n"
    }
}
