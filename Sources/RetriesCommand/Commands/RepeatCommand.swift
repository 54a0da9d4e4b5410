import Foundation
import Groundwork

/// `retries repeat`: runs a command many times, to reproduce a flake or to show that there is none left.
struct RepeatCommand: Command {
    static let syntax = Syntax(
        name: "repeat",
        usage: "retries repeat N [--until-flake] [--keep FOLDER] -- COMMAND…",
        summary: "Run tests N times, and show how often each mark flaked.",
        options: [
            .init("--until-flake", "Stop at the first run in which something flaked or failed, and show it."),
            .init("--keep FOLDER", "Keep the report of each run there, and the output of runs that did not pass."),
        ],
        discussion: """
            COMMAND is anything that runs tests and so writes a report, such as

              retries repeat 200 -- swift test --skip-build --filter LoginTests

            Build first, or every run builds again. Each run gets a report of its own (RETRYABLE_REPORT, RETRYABLE_RUN_ID).
            With RETRYABLE_MODE=strict nothing is retried; each failure that would have been retried counts as a flake.
            Ctrl-C ends the current run and shows the results so far.
            Exit code 0 if nothing failed or flaked, 1 if something did, 2 if the command could not be run or a run left no
            report.
            """,
        endsWithCommand: true
    )

    /// The greatest number of runs: weeks of them. A larger number is a typing error.
    private static let most = 1_000_000

    let count: Int
    let isUntilFlake: Bool
    let keptIn: String?
    let command: [String]

    init(_ arguments: Arguments) throws {
        guard let number = arguments.files.first else {
            throw Problem("repeat needs the number of runs (\(Self.syntax.usage))")
        }
        guard let count = Int(number), 1...Self.most ~= count else {
            throw Problem("the number of runs is \"\(number)\", not a whole number from 1 to \(Self.most)")
        }
        guard arguments.files.count == 1, !arguments.command.isEmpty else {
            throw Problem("repeat needs a command to run, after -- (\(Self.syntax.usage))")
        }
        self.count = count
        isUntilFlake = arguments.has("--until-flake")
        keptIn = try arguments.text("--keep")
        command = arguments.command
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let start = context.now()
        let repetition = try Repetition(command, count: count, keptIn: keptIn, in: context)
        let result = Result { try repetition.run { isUntilFlake && $0.outcome != .passed } }
        try show(repetition, seconds: context.now().timeIntervalSince(start), in: context)
        if case .failure(let problem as Repetition.NoReport) = result { showOutput(problem.output, in: context) }
        try result.get()
        if repetition.wasInterrupted { context.log("interrupted") }
        guard !repetition.records.isEmpty else { return .problem }
        return repetition.firstBadRun == nil ? .fine : .checkFailed
    }

    private func show(_ repetition: Repetition, seconds: Double, in context: CommandContext) throws {
        guard !repetition.records.isEmpty else { return }
        if let run = repetition.firstBadRun, isUntilFlake || run.outcome != .flaked {
            context.log("run \(run.number) \(run.outcome) (\(run.ending)); it wrote:")
            showOutput(run.output, in: context)
        }
        let history = History(repetition.records)
        let text = HistoryTextFormat(context.terminal()).text(of: history)
        let runs = repetition.records.count.of("run")
        let totals = "\(runs) in \(Durations.text(seconds)): \(RunOutcome.text(repetition.progress.counts))"
        try context.write("\(text)\(totals)\n")
        if let keptIn { context.log("the reports are in \(keptIn)") }
    }

    /// Writes the end of a run's output on standard error.
    private func showOutput(_ output: [UInt8], in context: CommandContext) {
        var lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines.suffix(isUntilFlake ? 200 : 20) {
            let text = String(decoding: line, as: UTF8.self).escapingControlCharacters(except: ["\t", "\u{1B}"])
            context.writeError("  \(text)\n")
        }
    }
}
