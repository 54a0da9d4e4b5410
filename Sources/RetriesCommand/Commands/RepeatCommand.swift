import Foundation
import Groundwork

/// `retries repeat`: runs a command many times, to reproduce a flake or to show that there is none left.
struct RepeatCommand: Command {
    static let syntax = Syntax(
        name: "repeat",
        usage: "retries repeat N [OPTION…] -- COMMAND…",
        summary: "Run tests N times, and show how often each mark flaked.",
        options: [
            .init("--until-flake", "Stop at the first run in which something flaked or failed, and show it."),
            .init("--keep FOLDER", "Keep the report of each run there, and the output of runs that did not pass."),
            .init("--than FOLDER", "Compare with the runs that --keep has kept there; 0 only if it is better now."),
            .init("--under CONDITION", "Run under a condition of retries why, such as load."),
            .init("--for DURATION", "Begin no run after this time: 90s, 30m, 2h. N may then be left out."),
        ],
        discussion: """
            COMMAND is anything that runs tests and so writes a report, such as

              retries repeat 200 -- swift test --skip-build --filter LoginTests

            Build first, or every run builds again. Each run gets a report of its own (RETRYABLE_REPORT, RETRYABLE_RUN_ID).
            With RETRYABLE_MODE=strict nothing is retried; each failure that would have been retried counts as a flake.
            Ctrl-C ends the current run and shows the results so far.
            Exit code 0 if nothing failed or flaked, 1 if something did, 2 if the command could not be run or a run left no
            report and showed no test. With --than: 0 if fewer runs failed or flaked (Fisher's exact test, p below 0.05), else 1.
            """,
        endsWithCommand: true
    )

    /// The greatest number of runs: weeks of them. A larger number is a typing error.
    private static let most = 1_000_000

    let count: Int?
    let limit: Double?
    let isUntilFlake: Bool
    let keptIn: String?
    let earlier: String?
    let condition: Condition?
    let command: [String]

    init(_ arguments: Arguments) throws {
        limit = try arguments.duration("--for")?.seconds
        count = try arguments.files.first.map { number in
            guard let count = Int(number), 1...Self.most ~= count else {
                throw Problem("the number of runs is \"\(number)\", not a whole number from 1 to \(Self.most)")
            }
            return count
        }
        guard count != nil || limit != nil else {
            throw Problem("repeat needs the number of runs, or --for (\(Self.syntax.usage))")
        }
        guard arguments.files.count < 2, !arguments.command.isEmpty else {
            throw Problem("repeat needs a command to run, after -- (\(Self.syntax.usage))")
        }
        isUntilFlake = arguments.has("--until-flake")
        keptIn = try arguments.text("--keep")
        earlier = try arguments.text("--than")
        condition = try arguments.choices("--under", of: Condition.self).first
        command = arguments.command
    }

    func run(in context: CommandContext) throws -> ExitCode {
        try condition?.check(for: command, in: context)
        let before = try earlier.map { try Repetition.tally(ofKept: $0, in: context) }
        let start = context.now()
        let progress = Progress(total: count, limit: limit, isTerminal: context.isErrorTerminal)
        let repetition = try Repetition(command, progress: progress, keptIn: keptIn, in: context)
        var firstBadRun: Repetition.Run?
        var failures: [[TestOutput.TestFailure]] = []
        let result = Result {
            defer { repetition.end() }
            while !repetition.isOver, let run = try repetition.perform(under: condition) {
                failures.append(run.unmarkedFailures)
                if run.outcome != .passed { firstBadRun = firstBadRun ?? run }
                if isUntilFlake, firstBadRun != nil { return }
            }
        }
        let seconds = context.now().timeIntervalSince(start)
        if let firstBadRun, isUntilFlake || firstBadRun.outcome != .flaked {
            context.log("run \(firstBadRun.number) \(firstBadRun.outcome) (\(firstBadRun.ending)); it wrote:")
            showOutput(firstBadRun.output, in: context)
        }
        if !failures.isEmpty { try show(repetition, failures, seconds: seconds, in: context) }
        if case .failure(let problem as Repetition.NoReport) = result { showOutput(problem.output, in: context) }
        try result.get()
        if repetition.wasInterrupted { context.log("interrupted") }
        guard !failures.isEmpty else { return .problem }
        if let before {
            let now = repetition.progress.tally
            try context.write("\(now.comparison(with: before))\n")
            return now.isBetter(than: before) ? .fine : .checkFailed
        }
        return firstBadRun == nil ? .fine : .checkFailed
    }

    private func show(
        _ repetition: Repetition,
        _ failures: [[TestOutput.TestFailure]],
        seconds: Double,
        in context: CommandContext
    ) throws {
        let history = History(repetition.records)
        let folder = context.packageFolder ?? context.workingDirectory
        let marks = SuggestedMark.text(of: SuggestedMark.suggestions(for: failures, in: folder))
        let text = HistoryTextFormat(context.terminal()).text(of: history) + marks
        let totals = "\(failures.count.of("run")) in \(Durations.text(seconds))"
        try context.write("\(text)\(totals): \(RunOutcome.text(repetition.progress.counts))\n")
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

extension Tally {
    /// The greatest probability of chance at which a difference is said to be one.
    private static let level = 0.05

    func isBetter(than before: Tally) -> Bool { rate < before.rate && p(against: before) < Self.level }

    /// A sentence such as `12 of 100 before, 0 of 100 now: p < 0.001`.
    fileprivate func comparison(with before: Tally) -> String {
        let p = p(against: before)
        let numbers = "\(before.bad) of \(before.runs) before, \(bad) of \(runs) now: \(Self.text(p: p))"
        if isBetter(than: before) { return "\(numbers), it is better" }
        return p < Self.level ? "\(numbers), it is worse" : "\(numbers), which more runs may show to be a difference"
    }
}
