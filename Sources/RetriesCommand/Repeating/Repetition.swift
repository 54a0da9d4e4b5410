import Foundation
import Groundwork
import RetryReport

/// Runs a command many times, each time with a report of its own.
final class Repetition {
    private let command: [String]
    private let keptIn: String?
    private let context: CommandContext
    private let folder: RunFolder
    private let start: Date
    private let interruption: Interruption
    /// One for all runs, because SwiftPM reads manifests anew for each environment that it has not seen.
    private let identifier = "repeat-\(UUID().uuidString)"

    private var runs = 0
    private(set) var records: [RunRecord] = []
    var progress: Progress

    /// A run that has ended.
    struct Run {
        var number: Int
        var condition: Condition?
        var ending: ProcessEnding
        var outcome: RunOutcome
        /// A report without retries if it left none.
        var report: Report
        var tests: TestOutput
        var output: [UInt8]

        /// The failures in no section that the report knows, each once for a line.
        var unmarkedFailures: [TestOutput.TestFailure] {
            let known = report.retries.flatMap { $0.attempts.flatMap(\.failures) }
            return tests.failures.filter { failure in
                !known.contains { known in
                    // An error that ends an XCTest on Linux has no place.
                    known.line == failure.line && failure.file?.hasSuffix(known.file ?? "") == true
                        || failure.file == nil && known.message.hasPrefix(failure.message)
                }
            }
        }
    }

    /// A run in which no test began, or whose report cannot be read.
    struct NoReport: Error, CustomStringConvertible {
        let description: String
        var output: [UInt8] = []

        /// The last line that the run wrote; the description if it wrote none.
        var lastLine: String {
            output.split(separator: UInt8(ascii: "\n")).last.map { String(decoding: $0, as: UTF8.self) } ?? description
        }
    }

    init(_ command: [String], progress: Progress, keptIn: String? = nil, in context: CommandContext) throws {
        self.command = command
        self.progress = progress
        self.keptIn = keptIn
        self.context = context
        start = context.now()
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
        return names.contains { $0.hasSuffix(".json") && !Self.isKept($0) }
    }

    /// `true` for the name of a report that this command has kept.
    private static func isKept(_ name: String) -> Bool {
        name.range(of: "^[0-9]{8}-[0-9]{6}-[0-9]+\\.json$", options: .regularExpression) != nil
    }

    /// The runs that were kept in a folder. Those that did not pass have their output beside the report.
    static func tally(ofKept folder: String, in context: CommandContext) throws -> Tally {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: context.absolute(folder))
        } catch {
            throw Problem("the folder \(folder) cannot be read: \(error.localizedDescription)")
        }
        let kept = names.filter(isKept)
        guard !kept.isEmpty else { throw Problem("\(folder) holds no runs that retries repeat --keep has kept") }
        return Tally(runs: kept.count, bad: kept.count { names.contains("\($0.dropLast(5)).log") })
    }

    var wasInterrupted: Bool { interruption.hasArrived }

    /// `true` if no run is to come: all are done, the time is over, or this process was asked to end.
    var isOver: Bool { interruption.hasArrived || progress.isOver(after: elapsed) }

    private var elapsed: Double { context.now().timeIntervalSince(start) }

    /// Removes the bar of the progress.
    func end() { context.writeError(progress.end) }

    /// Runs the command once.
    ///
    /// - Returns: `nil` if it was interrupted.
    /// - Throws: ``NoReport`` if the run counts for nothing.
    func perform(under condition: Condition? = nil) throws -> Run? {
        runs += 1
        let ending: ProcessEnding
        do {
            ending = try runCommand(under: condition)
        } catch {
            throw NoReport(description: "\(command[0]) cannot be run: \(error)")
        }
        guard !interruption.hasArrived else { return nil }
        let run = try result(ending, condition)
        records.append(RunRecord(run.report))
        if let text = progress.add(run.outcome, elapsed: elapsed) { context.writeError(text) }
        try keep(run)
        return run
    }

    private func result(_ ending: ProcessEnding, _ condition: Condition?) throws -> Run {
        let output = try folder.content(of: folder.output)
        let file = InputFile(name: "of run \(runs)", path: folder.report)
        let events = access(folder.events, F_OK) == 0 ? try folder.content(of: folder.events) : []
        let tests = TestOutput(output, events: events)
        let now = context.now()
        var report = Report(run: Report.Run(id: identifier, startedAt: now, finishedAt: now), marks: [])
        if !file.isMissing {
            do {
                report = try file.report(in: context)
            } catch {
                throw NoReport(description: "\(error)", output: output)
            }
        } else if let problem = folder.writingProblem {
            // Not this run's: no run can leave a report.
            throw Problem("run \(runs) left no report and ended with \(ending); \(problem)")
        } else if tests.began.isEmpty {
            let advice =
                "the command has to run a RetryableTestCase, or a test with .retryable or .flaky, "
                + "and pass its environment on"
            let cause = "run \(runs)\(progress.ofTotal) left no report and ended with \(ending)"
            throw NoReport(description: "\(cause); \(advice)", output: output)
        }
        // All runs share an identity, but a history must not take them for one.
        report.run?.id += "-\(runs)"
        let outcome = RunOutcome(ending, report)
        return Run(
            number: runs,
            condition: condition,
            ending: ending,
            outcome: outcome,
            report: report,
            tests: tests,
            output: output
        )
    }

    private func runCommand(under condition: Condition?) throws -> ProcessEnding {
        var environment = context.environment
        environment[EnvironmentVariable.report.rawValue] = folder.report
        environment[EnvironmentVariable.runID.rawValue] = identifier
        try folder.empty()
        condition?.change(&environment, home: folder.home)
        var arguments = condition?.arguments(command) ?? command
        if !arguments.contains("--event-stream-output-path") {
            var options = ["--event-stream-output-path", folder.events, "--event-stream-version", "0"]
            // SwiftPM would read all manifests again in each new home.
            if condition == .freshHome { options += ["--cache-path", folder.cache] }
            arguments = Condition.inserting(options, intoTest: arguments) ?? arguments
        }
        return try folder.withOutput { (output) throws(SystemError) in
            let child = try Descriptor.withFile(at: "/dev/null", O_RDONLY) { (null) throws(SystemError) in
                try ChildProcess(arguments, environment: environment, streams: [null.number, output, output])
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
        let digits = progress.total.map { "\($0)".count } ?? 6
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
    /// The events of Swift Testing.
    var events: String { "\(path)/events" }
    var output: String { "\(path)/output" }
    var home: String { "\(path)/home" }
    /// SwiftPM's cache, which stays from run to run.
    var cache: String { "\(path)/cache" }

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

    /// Removes all that the run before has left.
    func empty() throws {
        for file in [report, events] { unlink(file) }
        if access(home, F_OK) == 0 { try FileManager.default.removeItem(atPath: home) }
        try FileManager.default.createDirectory(atPath: "\(home)/tmp", withIntermediateDirectories: true)
    }

    /// Calls `body` with a new file for the output of a run.
    func withOutput<Result>(_ body: (Int32) throws(SystemError) -> Result) throws -> Result {
        try Descriptor.withFile(at: output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND) { (file) throws(SystemError) in
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

    func content(of file: String) throws -> [UInt8] {
        try Descriptor.withFile(at: file, O_RDONLY) { (file) throws(SystemError) in try file.readAll() }
    }
}
