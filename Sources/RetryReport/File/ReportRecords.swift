/// What a report says of its tests and steps, each as the bytes that stand in the file.
///
/// A record is put into JSON once, however often the file is written.
struct ReportRecords {
    private struct Key: Hashable, Comparable {
        var name: String
        var module: String

        static func < (first: Key, second: Key) -> Bool {
            (first.name, first.module) < (second.name, second.module)
        }
    }

    private var own: [Key: [UInt8]] = [:]
    private var others: [Key: [UInt8]] = [:]
    /// All keys, sorted.
    private var keys: [Key] = []
    private var ownSteps: [Step] = []
    private var otherSteps: [Step] = []

    /// Inserts a test of this process, or replaces it.
    mutating func set(_ retry: Retry) {
        let key = Key(name: retry.name, module: retry.module ?? "")
        let isNew = own.updateValue(ReportText.entry(retry.write), forKey: key) == nil
        if isNew, others.removeValue(forKey: key) == nil { insert(key) }
    }

    mutating func add(_ step: Step) {
        ownSteps.append(step)
    }

    /// Takes over what other processes have written into the same report.
    mutating func takeOver(_ report: Report) {
        others = [:]
        for retry in report.retries {
            let key = Key(name: retry.name, module: retry.module ?? "")
            if own[key] == nil { others[key] = ReportText.entry(retry.write) }
        }
        keys = (Array(own.keys) + others.keys).sorted()
        otherSteps = report.steps
        for step in ownSteps {
            if let index = otherSteps.firstIndex(of: step) { otherSteps.remove(at: index) }
        }
    }

    /// The whole file.
    func text(of run: Report.Run) -> [UInt8] {
        ReportText.bytes(
            schemaVersion: Report.currentSchemaVersion,
            run: run,
            steps: otherSteps + ownSteps,
            step: { writer, step in step.write(to: &writer) },
            retries: keys,
            retry: { writer, key in writer.raw(own[key] ?? others[key] ?? []) }
        )
    }

    private mutating func insert(_ key: Key) {
        var range = keys.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = keys[middle] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        keys.insert(key, at: range.lowerBound)
    }
}
