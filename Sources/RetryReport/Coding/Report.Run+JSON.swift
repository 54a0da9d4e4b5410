import Foundation

extension Report.Run {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("id")
            writer.value(id)
            writer.key("startedAt")
            writer.value(Timestamp.text(startedAt))
            if let finishedAt {
                writer.key("finishedAt")
                writer.value(Timestamp.text(finishedAt))
            }
            if unfinished != 0 {
                writer.key("unfinished")
                writer.value(unfinished)
            }
            writer.key("mode")
            writer.value(mode)
            if !settings.isEmpty {
                writer.key("settings")
                writer.object { writer in
                    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
                        writer.key(name)
                        writer.value(value)
                    }
                }
            }
        }
    }

    init(from reader: inout JSONReader) throws(JSONTrouble) {
        var id: String?
        var startedAt: Date?
        var finishedAt: Date?
        var unfinished = 0
        var mode = "retry"
        var settings: [String: String] = [:]
        try reader.object { (reader, key) throws(JSONTrouble) in
            switch key {
            case "id": id = try reader.string()
            case "startedAt": startedAt = try reader.timestamp()
            case "finishedAt": finishedAt = try reader.optional { (r) throws(JSONTrouble) in try r.timestamp() }
            case "unfinished": unfinished = try reader.int()
            case "mode": mode = try reader.string()
            case "settings":
                try reader.object { (reader, key) throws(JSONTrouble) in settings[key.string] = try reader.string() }
            default: try reader.skipValue()
            }
        }
        guard let id else { throw .isMissing("id") }
        guard let startedAt else { throw .isMissing("startedAt") }
        self.init(
            id: id,
            startedAt: startedAt,
            finishedAt: finishedAt,
            unfinished: unfinished,
            mode: mode,
            settings: settings
        )
    }
}
