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

    private(set) var records: [RunRecord] = []
    private(set) var progress: Progress
    /// The first run that did not pass.
    private(set) var firstBadRun: Run?

    /// A run that has ended.
    struct Run {
        var number: Int
        var ending: ProcessEnding
        var outcome: RunOutcome
        var report: Report
        var output: [UInt8]
    }

    /// A run whose report is missing or cannot be read.
    struct NoReport: Error, CustomStringConvertible {
        let description: String
        var output: [UInt8] = []
    }

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
        if holdsOtherReports(keptIn) {
            context.log(
                "\(keptIn) holds reports of other runs: retries history will take the last of these runs for the newest, "
                    + "and marks that it does not enter for removed; a folder of its own avoids that"
            )
        }
    }

    /// Looks for reports that this command has not kept there.
    private func holdsOtherReports(_ folder: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: context.absolute(folder))) ?? []
        let kept = "^[0-9]{8}-[0-9]{6}-[0-9]+\\.json$"
        return names.contains { $0.hasSuffix(".json") && $0.range(of: kept, options: .regularExpression) == nil }
    }

    var wasInterrupted: Bool { interruption.hasArrived }

    /// Runs the command until the count is reached, `isLast` is true for a run, or this process is asked to end.
    func run(until isLast: (Run) -> Bool) throws {
        defer { context.writeError(progress.end) }
        for number in 1...count {
            guard let run = try perform(number) else { return }
            records.append(RunRecord(run.report))
            if run.outcome != .passed { firstBadRun = firstBadRun ?? run }
            let elapsed = context.now().timeIntervalSince(start)
            if let text = progress.add(run.outcome, elapsed: elapsed) { context.writeError(text) }
            try keep(run)
            if isLast(run) { return }
        }
    }

    /// - Returns: `nil` if it was interrupted.
    private func perform(_ number: Int) throws -> Run? {
        let ending: ProcessEnding
        do {
            ending = try runCommand()
        } catch {
            throw NoReport(description: "\(command[0]) cannot be run: \(error)")
        }
        guard !interruption.hasArrived else { return nil }
        let output = try folder.lastOutput
        let file = InputFile(name: "of run \(number)", path: folder.report)
        guard !file.isMissing else {
            let cause = "run \(number) of \(count) left no report and ended with \(ending)"
            let advice =
                "the command has to run a RetryableTestCase, or a test with .retryable or .flaky, "
                + "and pass its environment on"
            throw NoReport(description: "\(cause); \(folder.writingProblem ?? advice)", output: output)
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

    private func runCommand() throws -> ProcessEnding {
        var environment = context.environment
        environment[EnvironmentVariable.report.rawValue] = folder.report
        environment[EnvironmentVariable.runID.rawValue] = "repeat-\(UUID().uuidString)"
        return try folder.withOutput { (output) throws(SystemError) in
            let child = try Descriptor.withFile(at: "/dev/null", O_RDONLY) { (null) throws(SystemError) in
                try ChildProcess(command, environment: environment, streams: [null.number, output, output])
            }
            interruption.setCommand(child)
            defer { interruption.setCommand(nil) }
            // Processes that the command has left running must not meet the next run.
            return child.waitForEnd { ProcessSession(leader: child.identifier).kill() }
        }
    }

    /// Keeps the report, and the output of a run that did not pass.
    private func keep(_ run: Run) throws {
        guard let keptIn else { return }
        let digits = "\(count)".count
        let number = String(format: "%0\(digits)d", run.number)
        let name = "\(keptIn)/\(Self.stamp(start))-\(number)"
        try context.write(run.report.json(), to: "\(name).json")
        if run.outcome != .passed { try context.write(run.output, to: "\(name).log") }
    }

    /// A point in time for the name of a file: `20260301-093004`.
    private static func stamp(_ date: Date) -> String {
        let digits = Timestamp.text(date).filter { $0.isNumber }
        return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(6))"
    }
}

/// A temporary folder for the report and the output of the current run.
private final class RunFolder {
    private let path: String

    var report: String { "\(path)/\(ReportLocation.fileName)" }
    private var output: String { "\(path)/output" }

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("retries-\(UUID().uuidString)").path
        guard mkdir(path, 0o700) == 0 else {
            throw Problem("the folder \(path) for the reports cannot be made: \(SystemError.last)")
        }
    }

    deinit {
        // An error is ignored: the system cleans its folder of temporary files.
        do { try FileManager.default.removeItem(atPath: path) } catch {}
    }

    /// Calls `body` with a new file for the output of a run, and removes the report of the run before.
    func withOutput<Result>(_ body: (Int32) throws(SystemError) -> Result) throws -> Result {
        unlink(report)
        return try Descriptor.withFile(at: output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND) {
            (file) throws(SystemError) in
            try body(file.number)
        }
    }

    /// The reason why nothing can be written here, such as a full disk, of which a run cannot tell; `nil` if there is none.
    var writingProblem: String? {
        do {
            try FilePath("\(path)/room").replace(with: [UInt8](repeating: 0, count: 1 << 16), by: "\(path)/new")
            return nil
        } catch {
            return "\(path) cannot be written: \(error)"
        }
    }

    var lastOutput: [UInt8] {
        get throws {
            try Descriptor.withFile(at: output, O_RDONLY) { (file) throws(SystemError) in try file.readAll() }
        }
    }
}
