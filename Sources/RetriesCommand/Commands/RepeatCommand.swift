import Foundation
import Groundwork

/// `retries repeat`: runs a command many times, to reproduce a flake or to show that there is none left.
enum RepeatCommand: Command {
    static let syntax = Syntax(
        name: "repeat",
        usage: "retries repeat N [OPTION…] -- COMMAND…",
        summary: "Run tests N times, and show how often each mark flaked.",
        options: [
            ("--until-flake", "Stop at the first run in which something flaked or failed, and show it."),
            ("--keep FOLDER", "Keep each run's report in FOLDER, and the output of runs that did not pass."),
            ("--than FOLDER", "Compare with runs of the same command that --keep has kept in FOLDER."),
            ("--under CONDITION", "Run under a condition of retries why, such as load."),
            ("--for DURATION", "Begin no run after this time: 90s, 30m, 2h. N may then be left out."),
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
        let limit = try arguments.duration("--for")
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
        let condition = try arguments.choice("--under", of: Condition.self)
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
        var isFine = true
        let hasResults = try repetition.run(isUntilFlake: isUntilFlake) {
            if let run = repetition.firstBad, isUntilFlake || run.outcome != .flaked {
                context.log("run \(run.number) \(run.outcome) (\(run.ending)); it wrote:")
                context.showEnd(of: run.output, lines: isUntilFlake ? 200 : 20)
            }
            var results = repetition.results
            let (now, duration) = (repetition.comparison.first, Durations.text(repetition.seconds))
            let history = History(repetition.records)
            let rates = history.marks.map { "\($0.newest.reason), at \($0.newest.place): \($0.evidence.sentence)" }
            // A verdict needs runs as is: under a condition, a flake may fail each time.
            (results.history, results.sentences) = condition == nil ? (history, []) : (nil, rates)
            results.before = before?.tally
            isFine = now.bad == 0
            results.totals = ["\(now.runs.of("run")) in \(duration): \(RunOutcome.text(results.outcomes))"]
            if let (tally, failed) = before {
                let comparison = now.comparison(with: tally, missing: failed.subtracting(repetition.tests).sorted())
                results.totals.append(comparison.sentence)
                isFine = comparison.isBetter
            }
            try context.write(format.bytes(of: results, for: context.terminal()), to: nil)
        }
        return hasResults ? isFine ? .fine : .checkFailed : .problem
    }
}

extension Tally {
    /// Compares with earlier runs, in a sentence such as `12 of 100 before, 0 of 100 now: p < 0.001, it is better`.
    ///
    /// - Parameter missing: The tests that failed before and did not run now: without them, nothing is proven.
    fileprivate func comparison(with before: Tally, missing: [String]) -> (sentence: String, isBetter: Bool) {
        let p = p(against: before)
        let verdict =
            switch (rate < before.rate, p < 0.05) {
            case _ where !missing.isEmpty: "but \(missing.firstFew) failed before and did not run now"
            case (true, true): "it is better"
            case (true, false): "more runs may show that it is better"
            case (false, true): "it is worse"
            case (false, false): "it is not better"
            }
        let numbers = "\(before.bad) of \(before.runs) before, \(bad) of \(runs) now: \(Self.text(p: p))"
        return ("\(numbers), \(verdict)", missing.isEmpty && rate < before.rate && p < 0.05)
    }
}
