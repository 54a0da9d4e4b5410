import Foundation

/// How often one process has entered each section: added, in the file, to what the others of its run have counted.
struct MarkLines {
    /// Everything that this process has counted.
    var own: [MarkCount] = []
    /// The part of it that is in the file.
    private var written: [MarkCount.Identity: MarkCount] = [:]

    /// Adds to a text what was counted since it was written last, one line for each mark.
    ///
    /// - Parameter isFirstTime: Whether the text has nothing of this process.
    func add(to text: inout ReportText, isFirstTime: Bool) throws {
        var lines = text.records["marks"] ?? []
        for mark in own {
            let identity = mark.identity
            var mark = isFirstTime ? mark : mark.since(written[identity])
            guard mark.runs > 0 else { continue }
            let place = Self.place(of: identity, in: lines)
            if place < lines.count, let other = Self.mark(lines[place]), other.identity == identity {
                mark.add(other)
                lines[place] = try JSONEncoder.ofReports.text(of: mark)
            } else {
                lines.insert(try JSONEncoder.ofReports.text(of: mark), at: place)
            }
        }
        text.records["marks"] = lines
    }

    /// What this process has counted is in the file.
    mutating func noteWritten() {
        for mark in own { written[mark.identity] = mark }
    }

    /// Where a mark is, or belongs, among lines that are sorted: few of them have to be read.
    private static func place(of identity: MarkCount.Identity, in lines: [String]) -> Int {
        var (place, end) = (0, lines.count)
        while place < end {
            let middle = (place + end) / 2
            // A line that cannot be read may be out of order.
            if let mark = mark(lines[middle]), mark.identity < identity { place = middle + 1 } else { end = middle }
        }
        return place
    }

    private static func mark(_ line: String) -> MarkCount? {
        try? JSONDecoder.ofReports.decode(MarkCount.self, from: Data(line.utf8))
    }
}
