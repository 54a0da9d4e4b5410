import Foundation
import Groundwork

/// `retries repeat`: runs a command many times, to reproduce a flake or to show that there is none left.
enum RepeatCommand: Command {
    static let syntax = Syntax(
        name: "repeat",
        usage: "retries repeat N [OPTION…] -- COMMAND…",
        summary: "Run tests N times, and show how often each mark flaked.",
        options: [
            .init("--until-flake", "Stop at the first run in which something flaked or failed, and show it."),
            .init("--keep FOLDER", "Keep each run's report in FOLDER, and the output of runs that did not pass."),
            .init("--than FOLDER", "Compare with runs of the same command that --keep has kept in FOLDER."),
            .init("--under CONDITION", "Run under a condition of retries why, such as load."),
            .init("--for DURATION", "Begin no run after this time: 90s, 30m, 2h. N may then be left out."),
            ResultFormat.option,
        ],
        discussion: """
            COMMAND is anything that runs tests and so writes a report, such as

              retries repeat 200 -- swift test --skip-build --filter LoginTests

            Build first, or every run builds again. Each run gets a report of its own (RETRYABLE_REPORT, RETRYABLE_RUN_ID).
            With RETRYABLE_MODE=strict nothing is retried; each failure that would have been retried counts as a flake.
            Ctrl-C ends the current run and shows the results so far.
            Exit code 0 if nothing failed or flaked, 1 if something did, 2 if the command could not be run, or if a run left no
            report and showed no test. With --than: 0 if fewer runs failed or flaked (Fisher's exact test, p below 0.05),
            and all tests that failed before have run, else 1.
            """,
        endsWithCommand: true
    )

    /// The greatest number of runs, which take weeks. A larger number is a typing error.
    static let most = 1_000_000

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let command = try arguments.commandToRun(after: 1)
        let limit = try arguments.duration("--for")?.seconds
        let count = try arguments.files.first.map { number in
            guard let count = Int(number), 1...most ~= count else {
                throw Problem("the number of runs is \"\(number)\", not a whole number from 1 to \(most)")
            }
            return count
        }
        guard count != nil || limit != nil else {
            throw Problem("repeat needs the number of runs, or --for (\(syntax.usage))")
        }
        let isUntilFlake = arguments.has("--until-flake")
        let condition = try arguments.choices("--under", of: Condition.self).first
        let format = try ResultFormat(arguments) ?? .text
        try condition?.check(for: command)
        let words = (condition.map { ["--under", $0.rawValue] } ?? []) + ["--"] + command.map(\.shellWord)
        func runs(in folder: String) -> KeptRuns {
            KeptRuns(folder: folder, command: words.joined(separator: " "), context: context)
        }
        let before = try arguments.text("--than").map { try runs(in: $0).results() }
        let kept = try arguments.text("--keep").map(runs)
        let comparison = Comparison(of: [condition], rounds: count)
        let repetition = try Repetition(command, comparison, limit: limit, keptIn: kept, in: context)
        let hasResults = try repetition.run(isUntilFlake: isUntilFlake) {
            if let run = repetition.firstBad, isUntilFlake || run.outcome != .flaked {
                context.log("run \(run.number) \(run.outcome) (\(run.ending)); it wrote:")
                context.showEnd(of: run.output, lines: isUntilFlake ? 200 : 20)
            }
            var results = repetition.results
            let (now, duration) = (repetition.comparison.first, Durations.text(repetition.seconds))
            let history = History(repetition.records)
            let rates = history.marks.map { "\($0.newest.reason)\($0.atPlace): \($0.evidence.sentence)" }
            // A verdict needs runs as is: under a condition, a flake may fail each time.
            (results.history, results.sentences) = condition == nil ? (history, []) : (nil, rates)
            results.before = before?.tally
            results.totals = ["\(now.runs.of("run")) in \(duration): \(RunOutcome.text(results.outcomes))"]
            if let before { results.totals.append(now.comparison(with: before, of: repetition.tests)) }
            try context.write(format.bytes(of: results, for: context.terminal()), to: nil)
        }
        let now = repetition.comparison.first
        let isFine = before.map { now.isBetter(than: $0, of: repetition.tests) } ?? (now.bad == 0)
        return hasResults ? isFine ? .fine : .checkFailed : .problem
    }
}

extension Tally {
    /// The probability below which chance is ruled out as the cause of a difference.
    private static let level = 0.05

    typealias Earlier = (tally: Tally, failed: Set<String>)

    /// `true` if these runs of `tests` show that all that failed before fails less often.
    fileprivate func isBetter(than before: Earlier, of tests: Set<String>) -> Bool {
        before.failed.isSubset(of: tests) && rate < before.tally.rate && p(against: before.tally) < Self.level
    }

    /// A sentence such as `12 of 100 before, 0 of 100 now: p < 0.001, it is better`.
    fileprivate func comparison(with before: Earlier, of tests: Set<String>) -> String {
        let (tally, missing) = (before.tally, before.failed.subtracting(tests).sorted())
        let p = p(against: tally)
        let numbers = "\(tally.bad) of \(tally.runs) before, \(bad) of \(runs) now: \(Self.text(p: p))"
        if !missing.isEmpty { return "\(numbers), but \(missing.firstFew) failed before and did not run now" }
        if p < Self.level { return "\(numbers), it is \(rate < tally.rate ? "better" : "worse")" }
        return rate < tally.rate ? "\(numbers), more runs may show that it is better" : "\(numbers), it is not better"
    }
}
