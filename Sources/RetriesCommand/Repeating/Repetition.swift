import Foundation
import Groundwork
import RetryReport

/// Runs a command many times, each time with a report of its own.
final class Repetition {
    private let command: [String]
    private let count: Int
    private let keptIn: String?
    private let context: CommandContext
    private let folder: RunFolder
    private let start: Date
    private let interruption: Interruption

    /// What the runs have shown so far.
    private(set) var records: [RunRecord] = []
    private(set) var progress: Progress
    /// The first run in which something went wrong.
    private(set) var firstTrouble: Run?

    /// A run that has ended.
    struct Run {
        var number: Int
        var ending: ProcessEnding
        var outcome: RunOutcome
        var report: Report
        /// All that it wrote.
        var output: [UInt8]
    }

    /// A run that tells nothing, and why.
    struct NoReport: Error, CustomStringConvertible {
        let description: String
        /// All that it wrote.
        var output: [UInt8] = []
    }

    private static let whatMakesOne =
        "the command has to run a RetryableTestCase, or a test with .retryable or .flaky, and pass its environment on"

    init(_ command: [String], count: Int, keptIn: String?, in context: CommandContext) throws {
        self.command = command
        self.count = count
        self.keptIn = keptIn
        self.context = context
        start = context.now()
        progress = Progress(total: count, isTerminal: context.isErrorTerminal)
        folder = try RunFolder()
        interruption = Interruption()
        guard let keptIn else { return }
        do {
            let path = context.absolute(keptIn)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Problem("the folder \(keptIn) cannot be made: \(error.localizedDescription)")
        }
    }

    var wasInterrupted: Bool { interruption.hasArrived }

    /// Runs the command so often, or until this process is asked to end, or until `isEnough` says so of a run.
    func run(until isEnough: (Run) -> Bool) throws {
        defer { write(progress.end) }
        for number in 1...count {
            guard let run = try perform(number) else { return }
            records.append(RunRecord(run.report))
            if run.outcome != .passed { firstTrouble = firstTrouble ?? run }
            let elapsed = context.now().timeIntervalSince(start)
            if let words = progress.add(run.outcome, elapsed: elapsed) { write(words) }
            try keep(run)
            if isEnough(run) { return }
        }
    }

    private func write(_ words: String) {
        // An error is ignored: if standard error cannot be written, it cannot be reported.
        do { try context.standardError(Array(words.utf8)) } catch {}
    }

    /// - Returns: `nil` if it was interrupted.
    private func perform(_ number: Int) throws -> Run? {
        var environment = context.environment
        environment[EnvironmentVariable.report.rawValue] = folder.report
        environment[EnvironmentVariable.runID.rawValue] = "repeat-\(UUID().uuidString)"
        let ending: ProcessEnding
        do throws(SystemError) {
            ending = try folder.withOutput { (output) throws(SystemError) in
                let child = try Descriptor.withFile(at: "/dev/null", O_RDONLY) { (null) throws(SystemError) in
                    try ChildProcess(command, environment: environment, streams: [null.number, output, output])
                }
                interruption.watch(child)
                defer { interruption.watch(nil) }
                return child.waitForEnd {
                    // What it has left running must not meet the next run.
                    ProcessSession(leader: child.identifier).kill()
                }
            }
        } catch {
            throw NoReport(description: "\(command[0]) cannot be run: \(error)")
        }
        guard !interruption.hasArrived else { return nil }
        let output = try folder.lastOutput
        let file = InputFile(name: "of run \(number)", path: folder.report)
        guard !file.isMissing else {
            let cause = "run \(number) of \(count) left no report and ended with \(ending)"
            throw NoReport(description: "\(cause); \(folder.problem ?? Self.whatMakesOne)", output: output)
        }
        let report: Report
        do {
            report = try file.report(in: context)
        } catch {
            throw NoReport(description: "\(error)", output: output)
        }
        let outcome = RunOutcome(ending, report)
        return Run(number: number, ending: ending, outcome: outcome, report: report, output: output)
    }

    /// Keeps the report, and the output of a run in which something went wrong.
    private func keep(_ run: Run) throws {
        guard let keptIn else { return }
        let digits = "\(count)".count
        let number = String(format: "%0\(digits)d", run.number)
        let name = "\(keptIn)/\(Self.stamp(start))-\(number)"
        try context.write(run.report.json(), to: "\(name).json")
        if run.outcome != .passed { try context.write(run.output, to: "\(name).log") }
    }

    /// A point in time as a file's name can have it: `20260301-093004`.
    private static func stamp(_ date: Date) -> String {
        let digits = Timestamp.text(date).filter { $0.isNumber }
        return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(6))"
    }
}

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
