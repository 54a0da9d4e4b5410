/// How the parts of a report lie in its file.
///
/// `retries` comes last, so that a record more is a few bytes more at the end of the file (see ``ReportPages``).
enum ReportText {
    /// What follows the last record.
    static let tail = Array("\n  ]\n}\n".utf8)
    /// How deep a retry or a step stands.
    static let entryDepth = 2

    static func write<Steps: Collection, Retries: Collection>(
        to writer: inout JSONWriter,
        schemaVersion: Int?,
        run: Report.Run?,
        steps: Steps,
        step: (inout JSONWriter, Steps.Element) -> Void,
        retries: Retries,
        retry: (inout JSONWriter, Retries.Element) -> Void
    ) {
        writer.object { writer in
            if let schemaVersion {
                writer.key("schemaVersion")
                writer.value(schemaVersion)
            }
            if let run {
                writer.key("run")
                run.write(to: &writer)
            }
            if !steps.isEmpty {
                writer.key("steps")
                writer.array(of: steps, step)
            }
            writer.key("retries")
            writer.array(of: retries, retry)
        }
        writer.endOfLine()
    }

    /// One entry as it stands in the file.
    static func entry(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(depth: entryDepth)
        write(&writer)
        return writer.bytes
    }

    /// What takes the place of ``tail`` in a text that has a record already, for `records` to stand after it.
    static func continuation(of records: [[UInt8]]) -> [UInt8] {
        var text: [UInt8] = []
        for record in records {
            text.append(contentsOf: ",\n    ".utf8)
            text.append(contentsOf: record)
        }
        text.append(contentsOf: tail)
        return text
    }
}
