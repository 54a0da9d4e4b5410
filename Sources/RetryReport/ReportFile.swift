import Foundation
import Groundwork

/// The report's file, as one process of a run writes it.
///
/// Each change is the same four steps: take the lock, read what the other processes of the run have written, write a new
/// file beside it, rename that. So there is a whole report at every moment, and nothing of another process is lost. A
/// record names the process that wrote it: that process replaces it, all others pass its line on.
package final class ReportFile: Sendable {
    package let path: String
    /// The end of the links at `path`.
    private let file: FilePath
    private let process: String
    private let warn: @Sendable (String) -> Void
    private let hasWarned = Locked(false)
    /// The records that are not in the file yet. Its lock is never held for long.
    private let unwritten = Locked(Unwritten())
    /// The file as this process knows it. Its lock is held while the file is read and written.
    private let state: Locked<State>

    /// - Parameter warn: Receives at most one warning about problems that do not prevent writing.
    package init(
        url: URL,
        run: Report.Run,
        process: String = RunIdentity.process,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        path = url.path
        file = FilePath(path).target
        self.process = process
        self.warn = warn
        state = Locked(State(run: run))
    }

    package var report: Report {
        get throws {
            do {
                return try Report(json: file.read(), at: path)
            } catch let error as SystemError {
                throw ReportFileError(path: path, cause: "cannot be read: \(error)")
            }
        }
    }

    /// The folder that paths in the file are relative to.
    package var folder: String? { state.withLock { $0.run.origin.folder } }

    /// Puts the report in place, with the records of other processes of this run, and with nothing else.
    ///
    /// - Parameter isCounted: This process goes on under the name of one that the file counts among the unfinished.
    package func open(isCounted: Bool = false) throws {
        state.withLock { $0.isCounted = isCounted }
        // Bytes that are no UTF-8 were replaced when the path was read: another place.
        guard !path.unicodeScalars.contains("\u{FFFD}") else { throw problem("its path is not UTF-8") }
        do {
            try FilePath(file.folder).makeFolder()
        } catch {
            throw problem("\(file.folder) cannot be made (\(error))")
        }
        try write()
    }

    /// Brings the file up to date: all that was put before is on disk when this returns.
    ///
    /// - Parameter isLate: It was due for a while. Another write, also one at the end, may have come before.
    package func write(isLate: Bool = false) throws { try write(atEnd: false, isLate: isLate) }

    /// Brings the file up to date in 100 ms, if the process still lives then.
    package func writeSoon(orElse failed: @escaping @Sendable (any Error) -> Void) {
        if unwritten.withLock({ exchange(&$0.isScheduled, with: true) }) { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in
            do {
                try write(isLate: true)
            } catch {
                failed(error)
            }
        }
    }

    /// Brings the file up to date, and notes that this process has ended. If more follows, it has not ended yet.
    package func close() throws { try write(atEnd: true, isLate: false) }

    private func warnOnce(_ warning: String) {
        if !hasWarned.withLock({ exchange(&$0, with: true) }) { warn(warning) }
    }

    private func problem(_ cause: String) -> ReportFileError {
        ReportFileError(path: path, cause: "cannot be written: \(cause)")
    }

    // MARK: - Records that are not written yet

    private struct Unwritten {
        var retries: [String: TestRecord] = [:]
        var steps: [Step] = []
        var marks: MarkCounts = [:]
        var isScheduled = false
    }

    /// Takes note of the state of a test, and of more counts of marks that belong to it; touches no file.
    package func put(_ retry: TestRecord, counting marks: [MarkCount] = []) {
        unwritten.withLock { unwritten in
            unwritten.retries["\(retry.name) \(retry.module ?? "")"] = retry
            unwritten.marks.add(marks)
        }
    }

    package func put(_ step: Step) { unwritten.withLock { $0.steps.append(step) } }

    /// Takes note of more counts of marks, which is no reason to write.
    package func put(_ marks: [MarkCount]) { unwritten.withLock { $0.marks.add(marks) } }

    // MARK: - The steps of a change

    /// The file as this process wrote it last, with all records as lines. A line of this process is encoded once.
    private struct State {
        var run: Report.Run
        var ownRetries: [String: String] = [:]
        var ownSteps: [String] = []
        var otherRetries: [String: String] = [:]
        var otherSteps: [String] = []
        var marks: [MarkCount.Identity: String] = [:]
        /// The counts of this process that are not among `marks` yet.
        var newMarks: MarkCounts = [:]
        var bytes: [UInt8] = []
        /// `true` if the file counts this process among the unfinished.
        var isCounted = false
    }

    /// The identity of a record: its test, and the process that wrote it and may change it.
    private struct RecordKey: Decodable {
        var name: String?
        var module: String?
        var process: String?

        /// The text that records are sorted by.
        var text: String { [name, module, process].map { $0 ?? "" }.joined(separator: "\0") }
    }

    private func write(atEnd: Bool, isLate: Bool) throws {
        do {
            try state.withLock { state in
                if isLate, !unwritten.withLock(\.isScheduled) { return }
                try takeUnwritten(&state)
                let hidden = "\(file.folder)/.\(file.name)"
                // A file of the report's own, which nobody else has a reason to lock.
                try withFileLock(at: "\(hidden).lock") { problem in
                    if let problem { warnOnce("the report \(path) cannot be locked: \(problem)") }
                    // A copy, because a write that fails leaves the file as it was.
                    var next = state
                    let isOfEarlierRun = try update(&next)
                    try addMarks(&next)
                    count(&next, atEnd: atEnd)
                    let retries = next.otherRetries.merging(next.ownRetries) { $1 }
                    next.bytes = try ReportText(
                        run: next.run,
                        retries: retries.sorted { $0.key < $1.key }.map(\.value),
                        steps: next.otherSteps + next.ownSteps,
                        // An empty list says that marks are counted, also where none is entered.
                        marks: next.marks.sorted { $0.key < $1.key }.map(\.value)
                    ).bytes
                    let spare = problem == nil ? "new" : process
                    do {
                        try file.replace(with: next.bytes, by: "\(hidden).\(spare)")
                    } catch {
                        // It would be taken for this run's. On a full disk, it can be removed.
                        if isOfEarlierRun { unlink(file.path) }
                        throw error
                    }
                    state = next
                }
            }
        } catch let error as ReportFileError {
            throw error
        } catch {
            throw problem("\(error)")
        }
    }

    private func takeUnwritten(_ state: inout State) throws {
        let new = unwritten.withLock { exchange(&$0, with: Unwritten()) }
        for var retry in new.retries.values {
            retry.process = process
            let key = RecordKey(name: retry.name, module: retry.module, process: process).text
            state.ownRetries[key] = try JSONEncoder.ofReports.text(of: retry)
        }
        for var step in new.steps {
            step.process = process
            state.ownSteps.append(try JSONEncoder.ofReports.text(of: step))
        }
        state.newMarks.add(new.marks.values)
    }

    /// Takes over what stands in the file of this run. Of another run's, nothing stays. If there is no file of this run, what
    /// this process knows of it is written again.
    ///
    /// - Returns: Whether the file is an earlier run's.
    private func update(_ state: inout State) throws -> Bool {
        let bytes = try read()
        if bytes.isEmpty { return false }
        if bytes.count == state.bytes.count, memcmp(bytes, state.bytes, bytes.count) == 0 { return false }
        do {
            let text = try ReportText(bytes)
            if text.run?.id == state.run.id {
                takeOver(text, &state)
                return false
            }
            if state.isCounted {
                let advice = "give each its own RETRYABLE_REPORT, or, if they are one run, the same RETRYABLE_RUN_ID"
                warnOnce("another run has replaced the report \(path) while this one goes on; \(advice)")
            } else if let job = text.run?.origin.job, job == state.run.origin.job, !text.retries.isEmpty {
                let loss = "which had \(text.retries.count.of("retried test")) of an earlier run in this CI job"
                warnOnce("replaced the report \(path), \(loss); runs with one RETRYABLE_RUN_ID share a report")
            }
        } catch let error as ReportFileError {
            guard !state.bytes.isEmpty || file.name == ReportLocation.fileName else {
                let advice = "move it or choose another place"
                let cause = "is another file, and no report of Retryable (it \(error.cause)); \(advice)"
                throw ReportFileError(path: path, cause: cause)
            }
        }
        return !state.isCounted
    }

    /// Reads the file; empty if there is none.
    private func read() throws -> [UInt8] {
        guard let kind = file.kind else {
            if errno == ENOENT { return [] }
            throw SystemError.last
        }
        guard kind == S_IFREG, !FilePath(path).isStream else {
            throw problem("what stands there is no file of its own")
        }
        return try file.read()
    }

    /// Replaces all that is known of other processes. A line that cannot be read is left out, so that the rest can be read.
    private func takeOver(_ text: ReportText, _ state: inout State) {
        func decode<Value: Decodable>(_ line: String) -> Value? {
            do {
                return try JSONDecoder.ofReports.decode(Value.self, from: Data(line.utf8))
            } catch {
                warnOnce("the report \(path) had a line that cannot be read: \(line.prefix(200))")
                return nil
            }
        }
        state.run = text.run ?? state.run
        let own = Set(state.ownRetries.values).union(state.ownSteps)
        func others(_ lines: [String]) -> [(key: String, line: String)] {
            lines.filter { !own.contains($0) }
                .compactMap { line in (decode(line) as RecordKey?).map { ($0.text, line) } }
        }
        state.otherRetries = Dictionary(others(text.retries)) { $1 }
        state.otherSteps = others(text.steps).map(\.line)
        let marks = (text.marks ?? []).compactMap { line in (decode(line) as MarkCount?).map { ($0.identity, line) } }
        state.marks = Dictionary(marks) { $1 }
    }

    /// Adds what this process has counted since it wrote last to the counts in the file.
    private func addMarks(_ state: inout State) throws {
        for (identity, var mark) in state.newMarks {
            if let line = state.marks[identity] {
                mark.add(try JSONDecoder.ofReports.decode(MarkCount.self, from: Data(line.utf8)))
            }
            state.marks[identity] = try JSONEncoder.ofReports.text(of: mark)
        }
        state.newMarks = [:]
    }

    /// Counts this process among the unfinished, until it has ended. The run has ended when none is left.
    private func count(_ state: inout State, atEnd: Bool) {
        let others = state.run.unfinished - (state.isCounted ? 1 : 0)
        state.isCounted = !atEnd
        state.run.unfinished = max(others, 0) + (atEnd ? 0 : 1)
        // A run does not end before its start, even if a clock was set back.
        state.run.finishedAt = state.run.unfinished == 0 ? max(Date(), state.run.startedAt) : nil
    }
}
