import Foundation

extension Report {
    /// The report as the text of a file; the same report is always the same bytes.
    package func json() throws -> [UInt8] { try ReportText(self).bytes }

    /// Reads the text of a file of this version, of 0.6.0 or of a later one; ignores unknown keys.
    ///
    /// - Parameter path: The file that an error names, with the key and what was expected.
    package init(json: [UInt8], at path: String = "") throws(ReportFileError) {
        do {
            self = try JSONDecoder.ofReports.decode(Report.self, from: Data(json))
        } catch {
            throw ReportFileError(reading: path, json, error)
        }
    }
}

/// A report that cannot be read or written, and why.
package struct ReportFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let cause: String

    package init(path: String, cause: String) {
        self.path = path
        self.cause = cause
    }

    package var description: String { "the report \(path) \(cause)" }
}

extension JSONDecoder {
    /// Reads reports and their records.
    static let ofReports: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try decoder.value("a time such as 2026-03-01T09:30:00.250Z", Timestamp.date)
        }
        return decoder
    }()
}

extension JSONEncoder {
    /// Writes a record of a report on one line.
    static let ofReports = stable()

    /// Makes an encoder that writes the same value always as the same bytes, with times as reports have them.
    package static func stable(_ formatting: OutputFormatting = []) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        encoder.dateEncodingStrategy = .custom { date, encoder in try Timestamp.text(date).encode(to: encoder) }
        return encoder
    }

    func text(of value: some Encodable) throws -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }
}

// MARK: - The text, line by line

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
/// the records of others as they stand. The keys of a record stand with its type.
struct ReportText {
    var run: Report.Run?
    // Records, as JSON.
    var retries: [String]
    var steps: [String]
    var marks: [String]?

    var bytes: [UInt8] {
        get throws {
            let run = try run?.json.map { "\"\($0.key)\": \($0.value)" }.sorted()
            func lines(_ lines: [String]) -> String {
                lines.isEmpty ? "" : "\n    \(lines.joined(separator: ",\n    "))\n  "
            }
            let values: [(key: String, text: String?)] = [
                ("marks", marks.map { "[\(lines($0))]" }), ("retries", "[\(lines(retries))]"),
                ("run", run.map { "{\(lines($0))}" }), ("schemaVersion", "\(Report.schemaVersion)"),
                ("steps", steps.isEmpty ? nil : "[\(lines(steps))]"),
            ]
            let blocks = values.compactMap { key, text in text.map { "\n  \"\(key)\": \($0)" } }
            return Array("{\(blocks.joined(separator: ","))\n}\n".utf8)
        }
    }
}

extension ReportText {
    init(_ report: Report) throws {
        let encoder = JSONEncoder.ofReports
        self.init(
            run: report.run,
            retries: try report.tests.map(encoder.text),
            steps: try report.steps.map(encoder.text),
            marks: try report.marks?.map(encoder.text)
        )
    }

    /// Reads the text of a file, however it is laid out.
    init(_ bytes: [UInt8]) throws {
        if let text = ReportText(lines: bytes) { self = text } else { self = try ReportText(Report(json: bytes)) }
    }

    /// Takes apart a text that is laid out like this; `nil` if it is not.
    private init?(lines bytes: [UInt8]) {
        let lines = Self.lines(of: bytes)
        guard lines.first == "{", lines.last == "}" else { return nil }
        var blocks: [String: [String]] = [:]
        var key = ""
        for line in lines.dropFirst().dropLast() where line != "  ]" && line != "  }" {
            if line.hasPrefix("    ") {
                guard key == "run" || line.hasPrefix("    {\"") && line.hasSuffix("}") else { return nil }
                blocks[key, default: []].append(String(line.dropFirst(4)))
            } else {
                let parts = line.split(separator: "\"", maxSplits: 2)
                guard parts.count == 3, parts[0] == "  ", parts[2].hasPrefix(": ") else { return nil }
                key = String(parts[1])
                let value = String(parts[2].dropFirst(2))
                blocks[key] = ["[", "[]", "{"].contains(value) ? [] : [value]
            }
        }
        guard let retries = blocks["retries"] else { return nil }
        self.retries = retries
        steps = blocks["steps"] ?? []
        marks = blocks["marks"]
        // If the run cannot be read, neither can the report as a whole, and that error is reported.
        let run = Data("{\(blocks["run"]?.joined(separator: ",") ?? "")}".utf8)
        self.run = try? JSONDecoder.ofReports.decode(Report.Run.self, from: run)
        if self.run == nil { return nil }
    }

    /// The lines, without the comma at the end. Foundation's functions take several times as long.
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
}

// MARK: - What is wrong with a text

extension ReportFileError {
    /// Names the place in a text that is no report, such as `retries[3].name`, and what was expected there.
    fileprivate init(reading path: String, _ json: [UInt8], _ error: any Error) {
        let problem =
            switch error {
            case DecodingError.keyNotFound(let key, let context):
                "\((context.codingPath + [key]).path)is missing"
            case DecodingError.valueNotFound(let type, let context):
                "\(context.codingPath.path)is null, not \(Self.name(of: type))"
            case DecodingError.typeMismatch(let type, let context):
                "\(context.codingPath.path)is not \(Self.name(of: type))"
            case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
                "\(context.codingPath.path)\(context.debugDescription)"
            default:
                Self.problem(of: json).map { "is not JSON: \($0)" } ?? "holds a number that cannot be read"
            }
        self.init(path: path, cause: "cannot be read: \(problem)")
    }

    private static func name(of type: any Any.Type) -> String {
        switch "\(type)" {
        case "Bool": "a boolean"
        case "Int", "Double": "a number"
        case let name where name.hasPrefix("Array<"): "an array"
        case let name where name.hasPrefix("Dictionary<"): "an object"
        default: "a string"
        }
    }

    /// The place where the text stops being JSON; `nil` if it is JSON. Only `JSONSerialization` names it.
    private static func problem(of json: [UInt8]) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: Data(json))
            return nil
        } catch {
            return (error as NSError).userInfo["NSDebugDescription"] as? String ?? "\(error)"
        }
    }
}

extension [any CodingKey] {
    /// The way to a value and a space, such as `retries[3].name `; empty for the text as a whole.
    fileprivate var path: String {
        let path = reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "" : "\(path) "
    }
}
