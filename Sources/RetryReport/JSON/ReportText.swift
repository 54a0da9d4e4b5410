import Foundation
import Groundwork

/// The text of a report, in the lines that it consists of.
///
///     {
///       "retries": [
///         {"attemptedRetries":1,"attempts":[…],…},
///         {"attemptedRetries":1,"attempts":[…],…}
///       ],
///       "run": {
///         "id": "…",
///         "startedAt": "…"
///       },
///       "schemaVersion": 1
///     }
///
/// Keys are sorted and each record is one line, so that people can search and compare reports, and a process can pass on
/// what others have written as it stands.
struct ReportText {
    /// What the run's keys stand for, as JSON.
    var run: [String: String] = [:]
    /// The records of each array, as JSON: `retries`, `steps`, `marks`, and those of later versions.
    var records: [String: [String]] = ["retries": []]
    private var schemaVersion: String?

    init(_ report: Report) throws {
        run = try report.run?.json ?? [:]
        records["retries"] = try report.retries.map(JSONEncoder.ofReports.text)
        records["steps"] = try report.steps.map(JSONEncoder.ofReports.text)
        records["marks"] = try report.marks?.map(JSONEncoder.ofReports.text)
        schemaVersion = report.schemaVersion.map { "\($0)" }
    }

    /// The text in a file, however it is laid out.
    init(_ bytes: [UInt8]) throws {
        if let text = ReportText(lines: bytes) { self = text } else { self = try ReportText(Report(json: bytes)) }
    }

    var bytes: [UInt8] {
        var blocks = records.filter { !$0.value.isEmpty || $0.key != "steps" }
            .mapValues { (opening: "[", lines: $0, closing: "]") }
        if !run.isEmpty { blocks["run"] = ("{", run.map { "\"\($0.key)\": \($0.value)" }.sorted(), "}") }
        blocks["schemaVersion"] = schemaVersion.map { ($0, [], "") }
        // Each line is copied once: the file is written with every flake, and is long where there are many.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.values.joined().reduce(1000) { $0 + $1.utf8.count + 6 })
        for (key, block) in blocks.sorted(by: { $0.key < $1.key }) {
            bytes += "\(bytes.isEmpty ? "{" : ",")\n  \"\(key)\": \(block.opening)".utf8
            for (index, line) in block.lines.enumerated() {
                bytes += "\(index == 0 ? "" : ",")\n    ".utf8
                bytes += line.utf8
            }
            bytes += "\(block.lines.isEmpty ? "" : "\n  ")\(block.closing)".utf8
        }
        bytes += "\n}\n".utf8
        return bytes
    }
}

// MARK: - Reading

extension ReportText {
    /// Takes apart a text that is laid out like this; `nil` if it is not.
    private init?(lines bytes: [UInt8]) {
        let lines = Self.lines(of: bytes)
        guard lines.first == "{", lines.last == "}" else { return nil }
        var name = ""
        for line in lines.dropFirst().dropLast() where line != "  ]" && line != "  }" {
            if line.hasPrefix("    {\""), line.hasSuffix("}") {
                records[name, default: []].append(String(line.dropFirst(4)))
            } else if line.hasPrefix("    "), name == "run", let (key, value) = Self.entry(line.dropFirst(4)) {
                run[key] = value
            } else if let (key, value) = Self.entry(line.dropFirst(2)) {
                name = key
                if key == "schemaVersion" { schemaVersion = value }
                if value == "[]" { records[key] = [] }
            } else {
                return nil
            }
        }
    }

    /// The lines, without the comma at the end.
    private static func lines(of bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBufferPointer { buffer in
            var lines: [String] = []
            guard var start = buffer.baseAddress else { return lines }
            let end = start + buffer.count
            while let newline = memchr(start, 0x0A, end - start) {
                let next = newline.assumingMemoryBound(to: UInt8.self) + 1
                var line = UnsafeBufferPointer(start: start, count: UnsafePointer(next) - 1 - start)
                if line.last == UInt8(ascii: ",") { line = UnsafeBufferPointer(rebasing: line.dropLast()) }
                lines.append(String(decoding: line, as: UTF8.self))
                start = UnsafePointer(next)
            }
            return start == end ? lines : []
        }
    }

    /// The key and the value of `"key": value`.
    private static func entry(_ line: Substring) -> (key: String, value: String)? {
        let parts = line.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, parts[2].hasPrefix(": ") else { return nil }
        return (String(parts[1]), String(parts[2].dropFirst(2)))
    }
}
