import Foundation

extension Report {
    /// The report as the text of a file; the same report is always the same bytes.
    package func json() -> [UInt8] {
        var writer = JSONWriter()
        ReportText.write(
            to: &writer,
            schemaVersion: schemaVersion,
            run: run,
            steps: steps,
            step: { writer, step in step.write(to: &writer) },
            retries: retries,
            retry: { writer, retry in retry.write(to: &writer) }
        )
        return writer.bytes
    }

    /// Reads the text of a file: today's, version 0.6.0's, or one of a later version, whose unknown keys are ignored.
    package init(json: [UInt8]) throws(JSONTrouble) {
        self = try JSONReader.read(json) { (reader) throws(JSONTrouble) in
            var report = Report()
            report.schemaVersion = nil
            var retries: [Retry]?
            try reader.object { (reader, key) throws(JSONTrouble) in
                switch key {
                case "schemaVersion":
                    report.schemaVersion = try reader.optional { (r) throws(JSONTrouble) in try r.int() }
                case "run": report.run = try reader.optional { (r) throws(JSONTrouble) in try Run(from: &r) }
                case "retries":
                    retries = try reader.list { (r) throws(JSONTrouble) in try Retry(from: &r) }
                case "steps":
                    report.steps = try reader.list { (r) throws(JSONTrouble) in try Step(from: &r) }
                default: try reader.skipValue()
                }
            }
            guard let retries else { throw .isMissing("retries") }
            report.retries = retries
            return report
        }
    }
}

extension JSONReader {
    /// Reads an array into a list; `null` is an empty one.
    mutating func list<Element>(
        _ read: (inout JSONReader) throws(JSONTrouble) -> Element
    ) throws(JSONTrouble) -> [Element] {
        guard try nextKind() != .null else {
            try skipValue()
            return []
        }
        var list: [Element] = []
        try array { (reader) throws(JSONTrouble) in list.append(try read(&reader)) }
        return list
    }

    mutating func optionalString() throws(JSONTrouble) -> String? {
        try optional { (reader) throws(JSONTrouble) in try reader.string() }
    }

    mutating func optionalInt() throws(JSONTrouble) -> Int? {
        try optional { (reader) throws(JSONTrouble) in try reader.int() }
    }

    mutating func timestamp() throws(JSONTrouble) -> Date {
        let text = try string()
        guard let date = Timestamp.date(text) else {
            throw JSONTrouble("is \"\(text)\", not a time such as 2026-03-01T09:30:00.250Z")
        }
        return date
    }

    /// Reads one of a few known words.
    mutating func word<Word>(
        of type: Word.Type
    ) throws(JSONTrouble) -> Word where Word: CaseIterable & RawRepresentable<String> {
        let text = try string()
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONTrouble("is \"\(text)\", not one of \(known)")
        }
        return word
    }
}
