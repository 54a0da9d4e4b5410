extension Retry {
    func write(to writer: inout JSONWriter) {
        write(to: &writer) { writer in
            for attempt in attempts { writer.element { attempt.write(to: &$0) } }
        }
    }

    /// Writes this retry with the attempts that `attempts` writes instead of its own.
    func write(to writer: inout JSONWriter, attempts: (inout JSONWriter) -> Void) {
        writer.object { writer in
            writer.key("name")
            writer.value(name)
            writer.optional("module", module)
            writer.optional("run", run)
            writer.key("maxRetriesAllowed")
            writer.value(maxRetriesAllowed)
            writer.key("attemptedRetries")
            writer.value(attemptedRetries)
            writer.key("reason")
            writer.value(reason)
            writer.key("fixable")
            writer.value(fixable)
            writer.optional("outcome", outcome?.rawValue)
            writer.optional("file", file)
            writer.optional("line", line)
            writer.key("attempts")
            writer.array(attempts)
        }
    }

    init(from reader: inout JSONReader) throws(JSONTrouble) {
        var name: String?
        var maxRetriesAllowed: Int?
        var attemptedRetries: Int?
        var reason: String?
        var fixable: Bool?
        var rest = Retry(name: "", module: nil, maxRetriesAllowed: 0, reason: "", fixable: false, outcome: nil)
        try reader.object { (reader, key) throws(JSONTrouble) in
            switch key {
            case "name": name = try reader.string()
            case "module": rest.module = try reader.optionalString()
            case "run": rest.run = try reader.optionalString()
            case "maxRetriesAllowed": maxRetriesAllowed = try reader.int()
            case "attemptedRetries": attemptedRetries = try reader.int()
            case "reason": reason = try reader.string()
            case "fixable": fixable = try reader.bool()
            case "outcome":
                rest.outcome = try reader.optional { (r) throws(JSONTrouble) in try r.word(of: Outcome.self) }
            case "file": rest.file = try reader.optionalString()
            case "line": rest.line = try reader.optionalInt()
            case "attempts": rest.attempts = try reader.list { (r) throws(JSONTrouble) in try Retry.Attempt(from: &r) }
            default: try reader.skipValue()
            }
        }
        guard let name else { throw .isMissing("name") }
        guard let maxRetriesAllowed else { throw .isMissing("maxRetriesAllowed") }
        guard let attemptedRetries else { throw .isMissing("attemptedRetries") }
        guard let reason else { throw .isMissing("reason") }
        guard let fixable else { throw .isMissing("fixable") }
        self = rest
        self.name = name
        self.maxRetriesAllowed = maxRetriesAllowed
        self.attemptedRetries = attemptedRetries
        self.reason = reason
        self.fixable = fixable
    }
}

extension JSONWriter {
    /// Writes a key and its value if there is one.
    package mutating func optional(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        self.value(value)
    }

    package mutating func optional(_ key: StaticString, _ value: Int?) {
        guard let value else { return }
        self.key(key)
        self.value(value)
    }
}
