import Foundation
import Groundwork

/// One process's hand on the report.
///
/// Several processes may hold the same file, one after the other or at once: each change is made under a lock, on top of
/// what the others have written for the same run. Records of any other run are dropped.
package final class ReportFile: @unchecked Sendable {
    // Safe to send: everything that changes is behind `lock`.
    private let lock = NSLock()
    private let path: String
    private let folder: String
    private var run: RunOfProcesses
    private var records = ReportRecords()
    private var pages: ReportPages
    private var pace = WritePace()
    /// Whether a write has failed, so that the file lacks more than the record at hand.
    private var isBehind = false
    /// How many seconds to wait for others; few once they have been waited for in vain, so that it is not long every time.
    private var patience = 30

    /// - Parameters:
    ///   - url: Where the report goes. If a symbolic link stands there, it goes where that leads.
    ///   - run: The run that it is of.
    package init(url: URL, run: Report.Run) {
        path = url.path
        let file = DiskFile(path: path).target
        folder = file.folder
        pages = ReportPages(file: file)
        self.run = RunOfProcesses(run)
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
        try change { state throws(ReportFileError) in try state.write(retry) }
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

    /// Writes what is outstanding, and that this process has ended. Should more follow, it has not ended yet.
    package func close() throws(ReportFileError) {
        try change { state throws(ReportFileError) in
            state.run.ownEnd = Date()
            try state.write()
        }
    }

    private func change(_ body: (ReportFile) throws(ReportFileError) -> Void) throws(ReportFileError) {
        lock.lock()
        defer { lock.unlock() }
        run.ownEnd = nil
        try body(self)
    }
}

// MARK: - Writing; all of it under the lock

extension ReportFile {
    private func writeSoon() throws(ReportFileError) {
        if pace.isTime() { try write() }
    }

    private func write() throws(ReportFileError) {
        try underLock { isLocked in
            pace.begin()
            defer { pace.end() }
            try takeOver()
            try writeAll(isLocked)
        }
    }

    /// Writes no more than one record if it is a new one, and if nobody else has written since.
    private func write(_ retry: Retry) throws(ReportFileError) {
        let isFirst = records.isEmpty
        let (place, isNew) = records.set(retry)
        try underLock { isLocked in
            let start = WritePace.now
            let hasChanged = try takeOver()
            guard isLocked, isNew, !isFirst, !hasChanged, !isBehind, run.isCounted else {
                pace.begin(at: start)
                defer { pace.end() }
                return try writeAll(isLocked)
            }
            try pages.append(ReportText.entry(retry.write))
            records.noteWritten(at: place)
        }
    }

    private func writeAll(_ isLocked: Bool) throws {
        try pages.replace(isLocked: isLocked) { records.write(to: &$0, run: run.value) }
        records.noteWritten()
        run.noteWritten()
        isBehind = false
    }

    private func underLock(_ body: (_ isLocked: Bool) throws -> Void) throws(ReportFileError) {
        do {
            try FolderLock.hold(folder, patience: patience) { isLocked in try body(isLocked) }
            patience = 30
        } catch let error as ReportFileError {
            isBehind = true
            throw error
        } catch {
            isBehind = true
            if error is FolderLock.Taken { patience = 1 }
            throw trouble("cannot be written: \(error)")
        }
    }

    /// Takes over what other processes of this run have written since this one last looked.
    ///
    /// - Returns: Whether anything but what this process left is there now.
    @discardableResult
    private func takeOver() throws -> Bool {
        guard let version = try pages.file.version else { return true }
        guard version != pages.shownVersion else { return false }
        let isOurs = pages.shownVersion != nil || pages.file.name == ReportLocation.fileName
        guard version.isRegular else { throw trouble("cannot be written: what stands there is no file") }
        // An empty file says nothing that could be lost: `mktemp` makes one to keep the name.
        guard version.size > 0 else { return true }
        do {
            let report = try Report(json: pages.file.bytes())
            guard let other = report.run, other.id == run.id else { return true }
            run.takeOver(other)
            records.takeOver(report)
        } catch let trouble as JSONTrouble {
            guard isOurs else {
                let foreign =
                    "is another file, and no report of Retryable (\(trouble)); move it or choose another place"
                throw self.trouble(foreign)
            }
        }
        return true
    }

    private func trouble(_ cause: String) -> ReportFileError {
        ReportFileError(path: path, cause: cause)
    }
}
