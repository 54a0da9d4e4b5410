import Foundation

extension Retry.Attempt {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("number")
            writer.value(number)
            writer.key("outcome")
            writer.value(outcome.rawValue)
            writer.key("startedAt")
            writer.value(Timestamp.text(startedAt))
            writer.key("duration")
            writer.duration(duration)
            writer.key("failures")
            writer.array(of: failures) { $1.write(to: &$0) }
        }
    }

    init(from reader: inout JSONReader) throws(JSONTrouble) {
        var number: Int?
        var outcome: Outcome?
        var startedAt: Date?
        var duration: Double?
        var failures: [Failure] = []
        try reader.object { (reader, key) throws(JSONTrouble) in
            switch key {
            case "number": number = try reader.int()
            case "outcome": outcome = try reader.word(of: Outcome.self)
            case "startedAt": startedAt = try reader.timestamp()
            case "duration": duration = try reader.double()
            case "failures": failures = try reader.list { (r) throws(JSONTrouble) in try Failure(from: &r) }
            default: try reader.skipValue()
            }
        }
        guard let number else { throw .isMissing("number") }
        guard let outcome else { throw .isMissing("outcome") }
        guard let startedAt else { throw .isMissing("startedAt") }
        guard let duration else { throw .isMissing("duration") }
        self.init(number: number, outcome: outcome, startedAt: startedAt, duration: duration, failures: failures)
    }
}

extension Failure {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("message")
            writer.value(message)
            writer.optional("file", file)
            writer.optional("line", line)
            writer.key("kind")
            writer.value(kind.rawValue)
            writer.key("aftermath")
            writer.value(isAftermath)
        }
    }

    init(from reader: inout JSONReader) throws(JSONTrouble) {
        var message: String?
        var kind: Kind?
        var rest = Failure(message: "", file: nil, line: nil, kind: .assertion)
        try reader.object { (reader, key) throws(JSONTrouble) in
            switch key {
            case "message": message = try reader.string()
            case "file": rest.file = try reader.optionalString()
            case "line": rest.line = try reader.optionalInt()
            case "kind": kind = try reader.word(of: Kind.self)
            case "aftermath": rest.isAftermath = try reader.bool()
            default: try reader.skipValue()
            }
        }
        guard let message else { throw .isMissing("message") }
        guard let kind else { throw .isMissing("kind") }
        self = rest
        self.message = message
        self.kind = kind
    }
}

extension JSONWriter {
    /// Writes seconds, to the microsecond.
    package mutating func duration(_ seconds: Double) {
        value((seconds * 1_000_000).rounded() / 1_000_000)
    }
}
