import Dispatch
import Foundation
import Groundwork
import RetryReport

/// Runs a command many times, each time with a report of its own, under one condition or under several that take turns.
final class Repetition {
    private let command: [String]
    private let kept: KeptRuns?
    private let context: CommandContext
    /// A temporary folder for the files of the current run.
    private let folder: String
    private let start: Date
    private let interruption = Interruption()
    /// The same for all runs, because SwiftPM reads all manifests again for an environment that is new to it.
    private let identifier = "repeat-\(UUID().uuidString)"
    private var progress: Progress
    /// The tests that ran, without those that only ``Condition/withAll`` runs.
    private(set) var tests: Set<String> = []

    private(set) var comparison: Comparison
    private(set) var records: [RunRecord] = []
    /// The failures of each run, without those of tests that the command does not run as is.
    private var failures: [[TestOutput.TestFailure]] = []
    private(set) var races: Set<String> = []
    private(set) var firstBad: Run?
    /// The bytes that the current run wrote.
    private var output: [UInt8] = []

    struct Run {
        var number: Int
        var ending: ProcessEnding
        var outcome: RunOutcome
        /// A report without retries if it left none.
        var report: Report
        var tests: TestOutput
        var output: [UInt8]
    }

    /// A run in which no test began.
    private struct NoReport: Error, CustomStringConvertible {
        let description: String
    }

    init(
        _ command: [String],
        _ comparison: Comparison,
        limit: Double?,
        keptIn kept: KeptRuns? = nil,
        in context: CommandContext
    ) throws {
        self.command = command
        self.comparison = comparison
        self.kept = kept
        self.context = context
        progress = Progress(limit: limit, isTerminal: context.isErrorTerminal)
        start = context.now()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("retries-\(UUID().uuidString)").path
        guard mkdir(folder, 0o700) == 0 else {
            throw Problem("the folder \(folder) for the reports cannot be made: \(SystemError.last)")
        }
        try kept?.prepare()
    }

    // If this fails, the system removes the files some day.
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The seconds since the first run began.
    var seconds: Double { context.now().timeIntervalSince(start) }
    private var isOver: Bool { interruption.hasArrived || seconds >= progress.limit ?? .infinity }
    private var number: Int { progress.done + 1 }
    private var package: String { context.packageFolder ?? context.workingDirectory }

    var results: RunResults {
        RunResults(
            conditions: comparison.rows,
            outcomes: progress.counts,
            marks: SuggestedMark.suggestions(for: failures, in: package)
        )
    }

    // MARK: - The runs

    /// Runs the command until all is decided, the time is over, or this process is asked to end.
    ///
    /// - Returns: `true` if there are results. They are shown even if an error ended the runs.
    func run(isUntilFlake: Bool = false, show: () throws -> Void) throws -> Bool {
        let result = Result { try runRounds(isUntilFlake: isUntilFlake) }
        context.writeError(progress.end)
        let hasResults = comparison.first.runs > 0
        if hasResults { try show() }
        if case .failure(let error) = result, !(error is Problem) { context.showEnd(of: output, lines: 20) }
        try result.get()
        if interruption.hasArrived { context.log("interrupted") }
        return hasResults
    }

    private func runRounds(isUntilFlake: Bool) throws {
        if comparison.rows.map(\.condition) == [.withAll], let run = try perform(under: nil) {
            tests = run.tests.began
            if tests.isEmpty {
                throw Problem("the output does not name the tests that begin, so with-all cannot be judged")
            }
        }
        while case let conditions = comparison.nextRound, !conditions.isEmpty {
            progress.total = comparison.rounds.map { progress.done + ($0 - comparison.round) * conditions.count }
            for condition in conditions {
                guard !isOver else { return comparison.decide(isEarly: interruption.hasArrived) }
                do {
                    if let run = try perform(under: condition) { try add(run, under: condition) }
                } catch let problem as NoReport
                    where comparison.isComparison && (condition != nil || comparison.round > 0)
                {
                    // A run without tests does not count. If it is the first under a condition, the condition is left out.
                    guard let condition, comparison.round == 0 else { continue }
                    comparison.remove(condition)
                    let last = output.split(separator: UInt8(ascii: "\n")).last
                    let line = last.map { String(decoding: $0, as: UTF8.self) } ?? problem.description
                    context.log("left out \(condition.rawValue), under which no test ran: \(line)")
                }
                if isUntilFlake, firstBad != nil { return }
            }
            comparison.endRound()
        }
    }

    private func add(_ run: Run, under condition: Condition?) throws {
        var run = run
        if condition != .withAll { tests.formUnion(run.tests.began) }
        if condition == .races { races.formUnion(Races.sentences(in: run.output, folder: package)) }
        if condition == .withAll {
            guard !tests.isDisjoint(with: run.tests.began) else { return }
            let isBad = !tests.isDisjoint(with: run.tests.bad(run.report))
            if isBad == (run.outcome == .passed) { run.outcome = isBad ? .failed : .passed }
        }
        comparison.add(run.outcome, under: condition)
        records += [RunRecord(run.report)].compactMap(\.self)
        let unmarked = run.tests.unmarkedFailures(run.report)
        failures.append(unmarked.filter { condition != .withAll || tests.contains($0.test) })
        if run.outcome != .passed { firstBad = firstBad ?? run }
        if let text = progress.add(run.outcome, elapsed: seconds) { context.writeError(text) }
        try kept?.keep(run, of: tests, since: start)
    }

    // MARK: - One run

    /// Runs the command once.
    ///
    /// - Returns: `nil` if it was interrupted.
    /// - Throws: ``NoReport`` if no test began.
    private func perform(under condition: Condition?) throws -> Run? {
        let ending = try runCommand(under: condition)
        guard !interruption.hasArrived else { return nil }
        output = try Descriptor.bytes(at: outputFile)
        // A toolchain that does not write these events leaves no such file.
        let tests = TestOutput(output, events: (try? Descriptor.bytes(at: eventFile)) ?? [])
        let report = try report(ending, hasTests: !tests.began.isEmpty)
        let outcome = RunOutcome(ending, report)
        return Run(number: number, ending: ending, outcome: outcome, report: report, tests: tests, output: output)
    }

    private func report(_ ending: ProcessEnding, hasTests: Bool) throws -> Report {
        let file = InputFile(name: "of run \(number)", path: reportFile)
        if !file.isMissing {
            var report = try file.report(in: context)
            // All runs share an identity, but a history must not take them for one.
            report.run?.id += "-\(number)"
            return report
        }
        let total = progress.total.map { " of \($0)" } ?? ""
        let sentence = "run \(number)\(total) left no report and ended with \(ending)"
        do {
            // On a full disk, no run can leave a report.
            try FilePath("\(folder)/room").replace(with: Array(repeating: 0, count: 1 << 16), by: "\(folder)/new")
        } catch {
            throw Problem("\(sentence); \(folder) cannot be written: \(error)")
        }
        guard hasTests else {
            let advice = "a RetryableTestCase, or a test with .retryable or .flaky, and pass its environment on"
            throw NoReport(description: "\(sentence); the command has to run \(advice)")
        }
        var run = Report.Run(id: "\(identifier)-\(number)", startedAt: context.now())
        run.finishedAt = run.startedAt
        return Report(run: run, marks: [])
    }

    private func runCommand(under condition: Condition?) throws -> ProcessEnding {
        output = []
        for file in [reportFile, eventFile] { unlink(file) }
        let home = "\(folder)/home"
        if access(home, F_OK) == 0 { try FileManager.default.removeItem(atPath: home) }
        try FileManager.default.createDirectory(atPath: "\(home)/tmp", withIntermediateDirectories: true)
        var environment = context.environment
        environment[EnvironmentVariable.report.rawValue] = reportFile
        environment[EnvironmentVariable.runID.rawValue] = identifier
        environment.merge(condition?.environment(home: home) ?? [:]) { _, new in new }
        var arguments = condition?.arguments(command) ?? command
        if !arguments.contains("--event-stream-output-path") {
            var options = ["--event-stream-output-path", eventFile, "--event-stream-version", "0"]
            // SwiftPM would read all manifests again in each new home.
            if condition == .freshHome { options += ["--cache-path", "\(folder)/cache"] }
            arguments = Condition.inserting(options, intoTest: arguments) ?? arguments
        }
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
        do {
            return try Descriptor.withFile(at: outputFile, flags) { (output) throws(SystemError) in
                let child = try Descriptor.withFile(at: "/dev/null", O_RDONLY) { (null) throws(SystemError) in
                    let streams = [null, output, output].map(\.number)
                    return try ChildProcess(arguments, environment: environment, streams: streams)
                }
                interruption.command.withLock { $0 = child }
                defer { interruption.command.withLock { $0 = nil } }
                // Processes that the command has left running must not disturb the next run.
                return child.waitForEnd { child.killAll() }
            }
        } catch {
            throw NoReport(description: "\(arguments[0]) cannot be run: \(error)")
        }
    }

    private var reportFile: String { "\(folder)/\(ReportLocation.fileName)" }
    private var eventFile: String { "\(folder)/events" }
    private var outputFile: String { "\(folder)/output" }
}

/// Ends the running command when this process is asked to end, so that results can be shown first.
final class Interruption {
    let command = Locked(ChildProcess?.none)
    private let arrival = Locked(false)
    private var sources: [any DispatchSourceSignal] = []

    init() {
        let queue = DispatchQueue(label: "interruption")
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [arrival, command] in
                arrival.withLock { $0 = true }
                // Like Ctrl-C in a terminal, this does not reach process groups that the command has made.
                command.withLock(\.self)?.signalGroup(SIGINT)
                // Gives a command, even one that was just about to start, time to end by itself.
                queue.asyncAfter(deadline: .now() + 2) {
                    if let command = command.withLock(\.self) { command.ifNotReaped { command.killAll() } }
                }
            }
            source.resume()
            return source
        }
    }

    /// `true` once this process was asked to end.
    var hasArrived: Bool { arrival.withLock(\.self) }
}

extension CommandContext {
    /// Writes the last lines of a run's output to standard error.
    func showEnd(of output: [UInt8], lines count: Int) {
        for line in output.split(separator: UInt8(ascii: "\n")).suffix(count) {
            let text = String(decoding: line, as: UTF8.self).escapingControlCharacters(except: ["\t", "\u{1B}"])
            writeError("  \(text)\n")
        }
    }
}
