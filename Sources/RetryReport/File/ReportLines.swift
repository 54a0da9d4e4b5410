import Foundation

/// The records of a report, line by line: those of one process, and those of others as they stand in the file.
struct ReportLines {
    /// A record as it stands in the file.
    private struct Line {
        let text: String
        let origin: Origin
    }

    /// Which test a record tells of, in the words of which process. Records are sorted by it.
    private struct Origin: Decodable, Comparable {
        var name: String?
        var module: String?
        /// The process that wrote it, and may change it.
        var process: String?

        static func < (first: Origin, second: Origin) -> Bool {
            (first.name ?? "", first.module ?? "", first.process ?? "")
                < (second.name ?? "", second.module ?? "", second.process ?? "")
        }
    }

    private let process: String
    /// Sorted.
    private var retries: [Line] = []
    private var steps: [Line] = []
    /// Whether those of other processes are as they stand in the file, and none has written since.
    var hasOthers = false

    init(of process: String) {
        self.process = process
    }

    /// Inserts a test of this process, or replaces what was known of it. As long as that stays, it is not encoded again.
    mutating func set(_ retry: FlakyTest) throws {
        var retry = retry
        retry.process = process
        let origin = Origin(name: retry.name, module: retry.module, process: process)
        let line = Line(text: try JSONEncoder.ofReports.text(of: retry), origin: origin)
        let place = retries.place { $0.origin < origin }
        let isKnown = place < retries.count && retries[place].origin == origin
        retries.replaceSubrange(place..<(isKnown ? place + 1 : place), with: [line])
    }

    mutating func add(_ step: Step) throws {
        var step = step
        step.process = process
        steps.append(Line(text: try JSONEncoder.ofReports.text(of: step), origin: Origin(process: process)))
    }

    /// Puts the records of this process into a text, in the place of those that it has there.
    ///
    /// - Returns: The lines that cannot be read. They are left out, so that the rest of the report can be read.
    mutating func merge(into text: inout ReportText) -> [String] {
        guard !retries.isEmpty || !steps.isEmpty else { return [] }
        let unreadable = hasOthers ? [] : takeOthers(from: text)
        text.records["retries"] = retries.map(\.text)
        text.records["steps"] = steps.map(\.text)
        return unreadable
    }

    private mutating func takeOthers(from text: ReportText) -> [String] {
        var unreadable: [String] = []
        let known = Dictionary((retries + steps).map { ($0.text, $0) }) { $1 }
        func others(_ name: String) -> [Line] {
            (text.records[name] ?? []).compactMap { line in
                if let known = known[line] { return known }
                do {
                    let origin = try JSONDecoder.ofReports.decode(Origin.self, from: Data(line.utf8))
                    return Line(text: line, origin: origin)
                } catch {
                    unreadable.append(line)
                    return nil
                }
            }.filter { $0.origin.process != process }
        }
        retries = (retries.filter { $0.origin.process == process } + others("retries")).sorted { $0.origin < $1.origin }
        steps = others("steps") + steps.filter { $0.origin.process == process }
        hasOthers = true
        return unreadable
    }
}

extension Array {
    /// Where something is, or belongs, in a sorted array: few of its elements are looked at.
    ///
    /// - Parameter precedes: Whether an element comes before it.
    func place(after precedes: (Element) -> Bool) -> Int {
        var (place, end) = (0, count)
        while place < end {
            let middle = (place + end) / 2
            if precedes(self[middle]) { place = middle + 1 } else { end = middle }
        }
        return place
    }
}
