import Foundation

/// The records of a report, line by line: those of one process, and those of all others as they stand.
struct ReportLines {
    /// What decides where a record goes, and whose it is.
    private struct Origin: Comparable, Decodable {
        var name: String?
        var module: String?
        var process: String?

        static func < (first: Origin, second: Origin) -> Bool {
            (first.name ?? "", first.module ?? "", first.process ?? "")
                < (second.name ?? "", second.module ?? "", second.process ?? "")
        }
    }

    private struct Line: Comparable {
        var origin: Origin
        var text: String

        static func < (first: Line, second: Line) -> Bool { first.origin < second.origin }
    }

    private let process: String
    /// Sorted.
    private var own: [Line] = []
    private var ownSteps: [String] = []
    /// `nil` until they are needed.
    private var others: (retries: [Line], steps: [String])?
    /// What was read of the lines of others.
    private var origins: [String: Origin] = [:]

    init(of process: String) {
        self.process = process
    }

    /// Inserts a test of this process, or replaces what was known of it. What stays as it is is encoded only once.
    mutating func set(_ retry: Retry) throws {
        var retry = retry
        retry.process = process
        let origin = Origin(name: retry.name, module: retry.module, process: process)
        let line = Line(origin: origin, text: try JSONEncoder.ofReports.text(of: retry))
        var (place, end) = (0, own.count)
        while place < end {
            let middle = (place + end) / 2
            if own[middle] < line { place = middle + 1 } else { end = middle }
        }
        if place < own.count, own[place].origin == origin { own[place] = line } else { own.insert(line, at: place) }
    }

    mutating func add(_ step: Step) throws {
        var step = step
        step.process = process
        ownSteps.append(try JSONEncoder.ofReports.text(of: step))
    }

    /// Says that other processes may have written since.
    mutating func forgetOthers() {
        others = nil
    }

    /// Puts this process's records into a text in the place of those that it has there.
    mutating func merge(into text: inout ReportText) {
        guard !own.isEmpty || !ownSteps.isEmpty else { return }
        let others = others ?? linesOfOthers(in: text)
        self.others = others
        text.records["retries"] = (others.retries + own).sorted().map(\.text)
        text.records["steps"] = others.steps + ownSteps
    }

    private mutating func linesOfOthers(in text: ReportText) -> (retries: [Line], steps: [String]) {
        let known = origins
        origins = [:]
        let lines = ["retries", "steps"].map { name in
            (text.records[name] ?? []).compactMap { text -> Line? in
                // A line that somebody spoilt is lost, not the report.
                let read = known[text] ?? (try? JSONDecoder.ofReports.decode(Origin.self, from: Data(text.utf8)))
                guard let origin = read else { return nil }
                origins[text] = origin
                return origin.process == process ? nil : Line(origin: origin, text: text)
            }
        }
        return (lines[0], lines[1].map(\.text))
    }
}
