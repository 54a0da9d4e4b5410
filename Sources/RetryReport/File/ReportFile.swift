import Foundation

/// One process's hand on the report.
///
/// Several processes may hold the same file, one after the other or at once: each change is made under a lock, on top of
/// what the others have written for the same run. Records of any other run are dropped.
package final class ReportFile: @unchecked Sendable {
    // Safe to send: everything that changes is behind `lock`.
    private let lock = NSLock()
    private let file: DiskFile
    private let folder: String
    private var run: Report.Run
    private var records = ReportRecords()
    private var lastVersion: DiskFile.Version?
    private var pace = WritePace()

    /// - Parameters:
    ///   - url: Where the report goes.
    ///   - run: The run that it is of.
    package init(url: URL, run: Report.Run) {
        file = DiskFile(path: url.path)
        folder = url.deletingLastPathComponent().path
        self.run = run
    }

    /// Puts the report in place, with what other processes of this run have recorded, and with nothing else.
    package func open() throws(ReportFileError) {
        try change { state throws(ReportFileError) in
            do {
                try FileManager.default.createDirectory(atPath: state.folder, withIntermediateDirectories: true)
            } catch {
                throw state.trouble("cannot be written: \(state.folder) cannot be made (\(error.localizedDescription))")
            }
            try state.write()
        }
    }

    /// Inserts a test, or replaces what is known of it; on disk when this returns.
    package func update(_ retry: Retry) throws(ReportFileError) {
        try change { state throws(ReportFileError) in
            state.records.set(retry)
            try state.write()
        }
    }

    /// The same, but it may be written a little later: no later than ``close()``, and so that writing takes no more than
    /// a small part of the time.
    package func updateSoon(_ retry: Retry) throws(ReportFileError) {
        try change { state throws(ReportFileError) in
            state.records.set(retry)
            try state.writeSoon()
        }
    }

    /// Adds a step; it may be written a little later.
    package func add(_ step: Step) throws(ReportFileError) {
        try change { state throws(ReportFileError) in
            state.records.add(step)
            try state.writeSoon()
        }
    }

    /// Sets what else the environment asked of this run.
    package func set(settings: [String: String]) {
        lock.withLock { run.settings = settings }
    }

    /// Writes what is outstanding, and when the run ended. More may follow.
    package func close() throws(ReportFileError) {
        try change { state throws(ReportFileError) in
            state.run.finishedAt = Date()
            try state.write()
        }
    }

    private func change(_ body: (ReportFile) throws(ReportFileError) -> Void) throws(ReportFileError) {
        lock.lock()
        defer { lock.unlock() }
        try body(self)
    }
}

// MARK: - Writing; all of it under the lock

extension ReportFile {
    private func writeSoon() throws(ReportFileError) {
        if pace.isTime { try write() }
    }

    private func write() throws(ReportFileError) {
        pace.begin()
        defer { pace.end() }
        do {
            try FolderLock.hold(folder) {
                try takeOver()
                lastVersion = try file.replace(with: records.text(of: run), by: temporary)
            }
        } catch let error as SystemError {
            throw trouble("cannot be written: \(error)")
        } catch let error as ReportFileError {
            throw error
        } catch {
            throw trouble("cannot be written: \(error)")
        }
    }

    /// Takes over what other processes of this run have written since this one last looked.
    private func takeOver() throws {
        guard let version = try file.version, version != lastVersion else { return }
        let report: Report
        do {
            report = try Report(json: file.bytes())
        } catch let error as JSONTrouble {
            guard lastVersion != nil || (file.path as NSString).lastPathComponent == ReportLocation.fileName else {
                throw trouble("is another file, and no report of Retryable (\(error)); move it or choose another place")
            }
            return
        }
        guard let other = report.run, other.id == run.id else { return }
        run.startedAt = min(run.startedAt, other.startedAt)
        run.finishedAt = run.finishedAt.map { max($0, other.finishedAt ?? $0) }
        records.takeOver(report)
    }

    /// A process of its own writes here, so that none is left if it dies: the next process writes over it.
    private var temporary: String {
        "\(folder)/.\((file.path as NSString).lastPathComponent).new"
    }

    private func trouble(_ cause: String) -> ReportFileError {
        ReportFileError(path: file.path, cause: cause)
    }
}
