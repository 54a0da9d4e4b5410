import Foundation
import Groundwork

/// The report's file, as one process of a run writes it.
///
/// Each change is the same four steps: take the lock, read what the other processes of the run have written, write a new
/// file beside it, rename that. So there is a whole report at every moment, and nothing of another process is lost. A
/// record says which process wrote it: that process replaces it, all others pass its line on.
package final class ReportFile: Sendable {
    private let path: String
    /// What `path` leads to, if it is a link.
    private let file: FilePath
    private let run: Report.Run
    private let process: String
    private let warn: @Sendable (String) -> Void
    /// What was put and is not in the file yet. Its lock is never held for long.
    private let unwritten = Locked(UnwrittenRecords())
    /// What this process knows of the file. Its lock is held while the file is read and written.
    private let state: Locked<State>

    private struct State {
        var lines: ReportLines
        var marks = MarkLines()
        /// What this process wrote last.
        var written: (text: ReportText, bytes: [UInt8])?
        /// Whether the file counts this process among those that have not ended.
        var isCounted = false
        var hasWarned = false
    }

    /// - Parameters:
    ///   - url: Where the report goes. If a symbolic link stands there, it goes where that leads.
    ///   - run: The run that it is of.
    ///   - process: What tells this process from others of the run.
    ///   - warn: Is told once what does not keep the report from being written.
    package init(
        url: URL,
        run: Report.Run,
        process: String = RunIdentity.process,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        path = url.path
        file = FilePath(path).target
        self.run = run
        self.process = process
        self.warn = warn
        state = Locked(State(lines: ReportLines(of: process)))
    }

    /// The report as it stands.
    package var report: Report {
        get throws(ReportFileError) { try Report(contentsOf: URL(fileURLWithPath: file.path)) }
    }

    /// Puts the report in place, with what other processes of this run have recorded, and with nothing else.
    package func open() throws(ReportFileError) {
        // What is no UTF-8 was replaced when it was read: another place.
        guard !path.unicodeScalars.contains("\u{FFFD}") else { throw problem("its path is not UTF-8") }
        do {
            try FileManager.default.createDirectory(atPath: file.folder, withIntermediateDirectories: true)
        } catch {
            throw problem("\(file.folder) cannot be made (\(error.localizedDescription))")
        }
        try write()
    }

    /// Takes note of what is known of a test; touches no file.
    ///
    /// - Returns: Whether ``write()`` is to follow at once. A process that has very many records may write them later.
    package func put(_ retry: FlakyTest) -> Bool { unwritten.withLock { $0.put(retry) } }

    /// Takes note of a step in the same way.
    package func put(_ step: Step) -> Bool { unwritten.withLock { $0.put(step) } }

    /// Takes note of how often this process has entered each section so far, which is no reason to write.
    package func put(_ marks: [MarkCount]) { unwritten.withLock { $0.marks = marks } }

    /// Brings the file up to date: what was put before is on disk when this returns.
    package func write() throws(ReportFileError) { try write(atEnd: false) }

    /// The same, 100 ms later, if the process still lives then.
    package func writeSoon(orElse failed: @escaping @Sendable (ReportFileError) -> Void) {
        guard unwritten.withLock({ $0.schedule() }) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in
            do throws(ReportFileError) {
                if unwritten.withLock(\.isScheduled) { try write() }
            } catch {
                failed(error)
            }
        }
    }

    /// Brings the file up to date, and says that this process has ended. Should more follow, it has not ended yet.
    package func close() throws(ReportFileError) { try write(atEnd: true) }

    private func write(atEnd: Bool) throws(ReportFileError) {
        do {
            try state.withLock { state in
                try takeUnwritten(&state)
                let hidden = "\(file.folder)/.\(file.name)"
                // A file of the report's own, which nobody else has a reason to lock.
                try FileLock(path: "\(hidden).lock").withLock { problem in
                    if let problem { warnOnce("the report \(path) cannot be locked: \(problem)", &state) }
                    let current = try current(&state)
                    // An empty list says that marks are counted, also where none is entered.
                    var text = try current ?? ReportText(Report(run: run, marks: []))
                    for line in state.lines.merge(into: &text) {
                        warnOnce("the report \(path) had a line that cannot be read: \(line.prefix(200))", &state)
                    }
                    try state.marks.add(to: &text, isFirstTime: current == nil)
                    try count(&text, wasCounted: state.isCounted, atEnd: atEnd)
                    let bytes = text.bytes
                    try file.replace(with: bytes, by: problem == nil ? "\(hidden).new" : "\(hidden).\(process)")
                    state.written = (text, bytes)
                    state.isCounted = !atEnd
                    state.marks.noteWritten()
                }
            }
        } catch let error as ReportFileError {
            throw error
        } catch {
            throw problem("\(error)")
        }
    }

    private func problem(_ cause: String) -> ReportFileError {
        ReportFileError(path: path, cause: "cannot be written: \(cause)")
    }
}

// MARK: - The steps of a change

extension ReportFile {
    private func takeUnwritten(_ state: inout State) throws {
        let (retries, steps, marks) = unwritten.withLock { $0.take() }
        for retry in retries { try state.lines.set(retry) }
        for step in steps { try state.lines.add(step) }
        state.marks.own = marks
    }

    /// What stands in the file of this run; `nil` if nothing does.
    private func current(_ state: inout State) throws -> ReportText? {
        let bytes = try read()
        if let (text, last) = state.written, last.count == bytes.count, memcmp(last, bytes, last.count) == 0 {
            return text
        }
        state.lines.hasOthers = false
        let wasCounted = state.isCounted
        state.isCounted = false
        do {
            guard !bytes.isEmpty else { return nil }
            let text = try ReportText(bytes)
            if try text.run["id"] == JSONEncoder.ofReports.text(of: run.id) {
                state.isCounted = wasCounted
                return text
            }
            if wasCounted {
                let advice = "give each its own RETRYABLE_REPORT, or, if they are one run, the same RETRYABLE_RUN_ID"
                warnOnce("another run has replaced the report \(path) while this one goes on; \(advice)", &state)
            }
        } catch {
            guard state.written != nil || file.name == ReportLocation.fileName else {
                let foreign = "is another file, and no report of Retryable (\(error)); move it or choose another place"
                throw ReportFileError(path: path, cause: foreign)
            }
        }
        return nil
    }

    /// What the file holds; nothing if there is none.
    private func read() throws -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try Descriptor.withFile(at: file.path, O_RDONLY | O_NONBLOCK) { (file) throws(SystemError) in
                try file.status.st_mode & S_IFMT == S_IFREG ? file.readAll() : nil
            }
        } catch {
            guard error.code == ENOENT else { throw error }
            return []
        }
        guard let bytes else { throw problem("what stands there is no file") }
        return bytes
    }

    /// Counts this process among those that have not ended, until it has. The run has ended when none is left.
    private func count(_ text: inout ReportText, wasCounted: Bool, atEnd: Bool) throws {
        let others = (text.run["unfinished"].flatMap { Int($0) } ?? 0) - (wasCounted ? 1 : 0)
        let unfinished = max(others, 0) + (atEnd ? 0 : 1)
        text.run["unfinished"] = unfinished == 0 ? nil : "\(unfinished)"
        guard unfinished == 0 else { return text.run["finishedAt"] = nil }
        // Times are texts of one length. A run does not end before its start, even if a clock was set back.
        let now = try JSONEncoder.ofReports.text(of: Timestamp.text(Date()))
        text.run["finishedAt"] = max(now, text.run["startedAt"] ?? now)
    }

    private func warnOnce(_ warning: String, _ state: inout State) {
        if !state.hasWarned { warn(warning) }
        state.hasWarned = true
    }
}
