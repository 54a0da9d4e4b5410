/// What a report says of its tests and steps, each as the bytes that stand in the file.
///
/// A record is put into JSON once, however often the file is written, and by its bytes a process knows its own records
/// again in a file that others have written since: a test that two processes of one run record has two records.
struct ReportRecords {
    private struct Key: Hashable, Comparable {
        var name: String
        var module: String

        init(_ retry: Retry) {
            name = retry.name
            module = retry.module ?? ""
        }

        static func < (first: Key, second: Key) -> Bool {
            (first.name, first.module) < (second.name, second.module)
        }
    }

    private struct Record {
        var key: Key
        var bytes: [UInt8]
        /// As it was last written to the file; `nil` if it never was.
        var written: [UInt8]?
    }

    private var own: [Record] = []
    /// Where each test is in `own`.
    private var places: [Key: Int] = [:]
    private var others: [Record] = []
    private var ownSteps: [[UInt8]] = []
    private var writtenStepCount = 0
    private var otherSteps: [[UInt8]] = []

    var isEmpty: Bool { own.isEmpty && others.isEmpty }

    func contains(_ retry: Retry) -> Bool { places[Key(retry)] != nil }

    /// Inserts a test of this process, or replaces it; returns its bytes.
    @discardableResult
    mutating func set(_ retry: Retry) -> [UInt8] {
        let key = Key(retry)
        let bytes = ReportText.entry(retry.write)
        if let place = places[key] {
            own[place].bytes = bytes
        } else {
            places[key] = own.count
            own.append(Record(key: key, bytes: bytes))
        }
        return bytes
    }

    mutating func add(_ step: Step) {
        ownSteps.append(ReportText.entry(step.write))
    }

    /// Takes over what other processes have written into the same report.
    mutating func takeOver(_ report: Report) {
        var mine = own.compactMap(\.written).counted
        others = report.retries.compactMap { retry in
            let bytes = ReportText.entry(retry.write)
            return mine.remove(bytes) ? nil : Record(key: Key(retry), bytes: bytes)
        }
        var mySteps = ownSteps[..<writtenStepCount].counted
        otherSteps = report.steps.map { ReportText.entry($0.write) }.filter { !mySteps.remove($0) }
    }

    /// The whole file. Which process writes it makes no difference to the order of its tests.
    func text(of run: Report.Run) -> [UInt8] {
        let records = (own + others).sorted { first, second in
            first.key == second.key
                ? first.bytes.lexicographicallyPrecedes(second.bytes) : first.key < second.key
        }
        return ReportText.bytes(
            schemaVersion: Report.currentSchemaVersion,
            run: run,
            steps: otherSteps + ownSteps,
            step: { $0.raw($1) },
            retries: records,
            retry: { $0.raw($1.bytes) }
        )
    }

    /// Notes that the file has what ``text(of:)`` says.
    mutating func noteWritten() {
        for index in own.indices { own[index].written = own[index].bytes }
        writtenStepCount = ownSteps.count
    }

    /// Notes that the file has what `retry` says.
    mutating func noteWritten(_ retry: Retry) {
        guard let place = places[Key(retry)] else { return }
        own[place].written = own[place].bytes
    }
}

extension Sequence where Element: Hashable {
    /// How often each element occurs.
    fileprivate var counted: [Element: Int] {
        Dictionary(map { ($0, 1) }, uniquingKeysWith: +)
    }
}

extension Dictionary where Value == Int {
    /// Takes one of `key` away; `false` if there was none.
    fileprivate mutating func remove(_ key: Key) -> Bool {
        guard let count = self[key], count > 0 else { return false }
        self[key] = count - 1
        return true
    }
}
