/// What a report says of its tests and steps.
///
/// By its bytes a process knows its own records again in a file that others have written since: a test that two processes
/// of one run record has two records. The bytes are made when they are needed: a test with thousands of attempts takes
/// several times as much memory as JSON.
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
        var retry: Retry
        /// As it was last written to the file; `nil` if it never was.
        var written: Retry?

        init(_ retry: Retry) {
            key = Key(retry)
            self.retry = retry
        }
    }

    private var own: [Record] = []
    /// Where each test is in `own`.
    private var places: [Key: Int] = [:]
    private var others: [Record] = []
    private var ownSteps: [[UInt8]] = []
    private var writtenStepCount = 0
    private var otherSteps: [[UInt8]] = []

    var isEmpty: Bool { own.isEmpty && others.isEmpty }

    /// Inserts a test of this process, or replaces it.
    ///
    /// - Returns: Where it is among those of this process, and whether it is new there.
    @discardableResult
    mutating func set(_ retry: Retry) -> (place: Int, isNew: Bool) {
        let record = Record(retry)
        if let place = places[record.key] {
            own[place].retry = retry
            return (place, false)
        }
        places[record.key] = own.count
        own.append(record)
        return (own.count - 1, true)
    }

    mutating func add(_ step: Step) {
        ownSteps.append(ReportText.entry(step.write))
    }

    /// Takes over what other processes have written into the same report.
    mutating func takeOver(_ report: Report) {
        var mine = own.compactMap { $0.written.map { ReportText.entry($0.write) } }.counted
        others = report.retries.compactMap { retry in
            mine.remove(ReportText.entry(retry.write)) ? nil : Record(retry)
        }
        var mySteps = ownSteps[..<writtenStepCount].counted
        otherSteps = report.steps.map { ReportText.entry($0.write) }.filter { !mySteps.remove($0) }
    }

    /// Writes the whole file. Which process does makes no difference to the order of its tests.
    func write(to writer: inout JSONWriter, run: Report.Run) {
        let records = (own + others).sorted { first, second in
            first.key == second.key
                ? ReportText.entry(first.retry.write).lexicographicallyPrecedes(ReportText.entry(second.retry.write))
                : first.key < second.key
        }
        ReportText.write(
            to: &writer,
            schemaVersion: Report.currentSchemaVersion,
            run: run,
            steps: otherSteps + ownSteps,
            step: { $0.raw($1) },
            retries: records,
            retry: { $1.retry.write(to: &$0) }
        )
    }

    /// Notes that the file has what ``write(to:run:)`` writes.
    mutating func noteWritten() {
        for index in own.indices { own[index].written = own[index].retry }
        writtenStepCount = ownSteps.count
    }

    /// Notes that the file has what the record at `place` says.
    mutating func noteWritten(at place: Int) {
        own[place].written = own[place].retry
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
