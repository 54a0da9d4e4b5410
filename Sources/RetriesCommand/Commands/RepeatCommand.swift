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
            .init(
                "--keep FOLDER",
                "Keep each run's report there, and the output of those in which something went wrong."
            ),
        ],
        discussion: """
            COMMAND is anything that runs tests and so writes a report, such as

              retries repeat 200 -- swift test --skip-build --filter LoginTests

            Build first, or every run builds again. Each run gets a report of its own (RETRYABLE_REPORT, RETRYABLE_RUN_ID).
            With RETRYABLE_MODE=strict nothing is retried, and what would have been counts as a flake.
            Ctrl-C ends the current run, and shows the results so far.
            Exit code 0 if nothing failed or flaked, 1 if something did, 2 if the command could not be run or a run left no
            report.
            """,
        endsWithCommand: true
    )

    /// More runs than fit into weeks: a larger number is a typing error.
    private static let most = 1_000_000

    let count: Int
    let isUntilFlake: Bool
    let keptIn: String?
    let command: [String]

    init(_ arguments: Arguments) throws(Problem) {
        guard let number = arguments.files.first else {
            throw Problem("repeat needs to know how often (\(Self.syntax.usage))")
        }
        guard let count = Int(number), 1...Self.most ~= count else {
            throw Problem("how often to repeat is \"\(number)\", not a whole number from 1 to \(Self.most)")
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
        if case .failure(let problem as Repetition.NoReport) = result { try showOutput(problem.output, in: context) }
        try result.get()
        if repetition.wasInterrupted { context.say("interrupted") }
        guard !repetition.records.isEmpty else { return .problem }
        return repetition.firstTrouble == nil ? .fine : .checkFailed
    }

    private func show(_ repetition: Repetition, seconds: Double, in context: CommandContext) throws {
        guard !repetition.records.isEmpty else { return }
        if let run = repetition.firstTrouble, isUntilFlake || run.outcome != .flaked {
            context.say("run \(run.number) \(run.outcome) (\(run.ending)); it wrote:")
            try showOutput(run.output, in: context)
        }
        let history = History(repetition.records)
        let text = HistoryTextFormat(context.terminal).text(of: history)
        let runs = repetition.records.count.of("run")
        let words = "\(runs) in \(Durations.words(seconds)): \(RunOutcome.words(repetition.progress.counts))"
        try context.write("\(text)\(words)\n")
        if let keptIn { context.say("the reports are in \(keptIn)") }
    }

    /// The end of what a run wrote, as it was written, on standard error.
    private func showOutput(_ output: [UInt8], in context: CommandContext) throws {
        var lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines.suffix(isUntilFlake ? 200 : 20) {
            let text = String(decoding: line, as: UTF8.self).escapingControlCharacters(except: ["\t", "\u{1B}"])
            try context.standardError(Array("  \(text)\n".utf8))
        }
    }
}
