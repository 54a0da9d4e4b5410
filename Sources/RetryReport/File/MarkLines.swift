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
            // A line that cannot be read may be out of order.
            let place = lines.place { line in Self.mark(line).map { $0.identity < identity } ?? false }
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

    private static func mark(_ line: String) -> MarkCount? {
        try? JSONDecoder.ofReports.decode(MarkCount.self, from: Data(line.utf8))
    }
}
