import Foundation

/// The records of a report, line by line: those of one process, and those of others as they stand in the file.
struct ReportLines {
    /// A record as it stands in the file.
    struct Line: Comparable {
        private let origin: Origin
        let text: String
        /// Which process of the run wrote it, and may change it.
        var process: String? { origin.process }

        /// What it is sorted by.
        private struct Origin: Decodable {
            var name: String?
            var module: String?
            var process: String?
        }

        init(_ retry: Retry) throws {
            origin = Origin(name: retry.name, module: retry.module, process: retry.process)
            text = try JSONEncoder.ofReports.text(of: retry)
        }

        init(_ step: Step) throws {
            origin = Origin(process: step.process)
            text = try JSONEncoder.ofReports.text(of: step)
        }

        init(_ text: String) throws {
            origin = try JSONDecoder.ofReports.decode(Origin.self, from: Data(text.utf8))
            self.text = text
        }

        private var key: (String, String, String) { (origin.name ?? "", origin.module ?? "", origin.process ?? "") }

        static func < (first: Line, second: Line) -> Bool { first.key < second.key }

        /// Whether both say something of one test, in the words of one process.
        static func == (first: Line, second: Line) -> Bool { first.key == second.key }
    }

    private let process: String
    /// Sorted by name, module and process.
    private var retries: [Line] = []
    private var steps: [Line] = []
    /// Whether those of other processes are as they stand in the file.
    private var hasOthers = false

    init(of process: String) {
        self.process = process
    }

    /// Inserts a test of this process, or replaces what was known of it. As long as that stays, it is not encoded again.
    mutating func set(_ retry: Retry) throws {
        var retry = retry
        retry.process = process
        let line = try Line(retry)
        var (place, end) = (0, retries.count)
        while place < end {
            let middle = (place + end) / 2
            if retries[middle] < line { place = middle + 1 } else { end = middle }
        }
        if place < retries.count, retries[place] == line {
            retries[place] = line
        } else {
            retries.insert(line, at: place)
        }
    }

    mutating func add(_ step: Step) throws {
        var step = step
        step.process = process
        steps.append(try Line(step))
    }

    /// Notes that other processes may have written since.
    mutating func forgetOthers() {
        hasOthers = false
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
                    return try Line(line)
                } catch {
                    unreadable.append(line)
                    return nil
                }
            }.filter { $0.process != process }
        }
        retries = (retries.filter { $0.process == process } + others("retries")).sorted()
        steps = others("steps") + steps.filter { $0.process == process }
        hasOthers = true
        return unreadable
    }
}
