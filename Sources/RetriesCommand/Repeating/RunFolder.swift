import Foundation
import Groundwork
import RetryReport

/// Where the runs leave their reports and outputs, one after the other; gone when all are done.
final class RunFolder {
    private let path: String

    /// Where a run's report goes.
    var report: String { "\(path)/\(ReportLocation.fileName)" }
    private var output: String { "\(path)/output" }

    init() throws(Problem) {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("retries-\(UUID().uuidString)").path
        guard mkdir(path, 0o700) == 0 else {
            throw Problem("the folder \(path) for the reports cannot be made: \(SystemError.last)")
        }
    }

    deinit {
        // What cannot be removed is in the folder of temporary files, which the system cleans.
        do { try FileManager.default.removeItem(atPath: path) } catch {}
    }

    /// Calls `body` with a new file for what a run writes; an earlier run's report is no longer there.
    func withOutput<Result>(_ body: (Int32) throws(SystemError) -> Result) throws(SystemError) -> Result {
        unlink(report)
        return try Descriptor.withFile(at: output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND) {
            (file) throws(SystemError) in
            try body(file.number)
        }
    }

    /// Why nothing can be written here; `nil` if something can. Checked, because a run on a full disk cannot say so itself.
    var problem: String? {
        do throws(SystemError) {
            try FilePath("\(path)/room").replace(with: [UInt8](repeating: 0, count: 1 << 16), by: "\(path)/new")
            return nil
        } catch {
            return "\(path) cannot be written: \(error)"
        }
    }

    /// All that the last run wrote.
    var lastOutput: [UInt8] {
        get throws(SystemError) {
            try Descriptor.withFile(at: output, O_RDONLY) { (file) throws(SystemError) in try file.readAll() }
        }
    }
}
