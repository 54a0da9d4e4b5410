extension Step {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("test")
            writer.value(test)
            writer.optional("module", module)
            writer.key("action")
            writer.value(action)
            writer.optional("file", file)
            writer.optional("line", line)
            writer.key("retries")
            writer.value(retries)
            writer.key("succeeded")
            writer.value(succeeded)
            writer.key("duration")
            writer.duration(duration)
        }
    }

    init(from reader: inout JSONReader) throws(JSONTrouble) {
        var test: String?
        var action: String?
        var retries: Int?
        var succeeded: Bool?
        var module: String?
        var file: String?
        var line: Int?
        var duration = 0.0
        try reader.object { (reader, key) throws(JSONTrouble) in
            switch key {
            case "test": test = try reader.string()
            case "module": module = try reader.optionalString()
            case "action": action = try reader.string()
            case "file": file = try reader.optionalString()
            case "line": line = try reader.optionalInt()
            case "retries": retries = try reader.int()
            case "succeeded": succeeded = try reader.bool()
            case "duration": duration = try reader.double()
            default: try reader.skipValue()
            }
        }
        guard let test else { throw .isMissing("test") }
        guard let action else { throw .isMissing("action") }
        guard let retries else { throw .isMissing("retries") }
        guard let succeeded else { throw .isMissing("succeeded") }
        self.init(
            test: test,
            module: module,
            action: action,
            file: file,
            line: line,
            retries: retries,
            succeeded: succeeded,
            duration: duration
        )
    }
}
