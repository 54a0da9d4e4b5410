import Groundwork
import RetryReport

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
            RunTimes.option,
            ResultFormat.option,
        ],
        discussion: """
            COMMAND is anything that runs tests and so writes a report, such as

              retries repeat 200 -- swift test --skip-build --filter LoginTests

            Build first, or every run builds again. Each run gets a report of its own (RETRYABLE_REPORT, RETRYABLE_RUN_ID).
            Retries do not wait for a quiet machine, as RETRYABLE_RETRY_DELAY=0 says.
            With RETRYABLE_MODE=strict nothing is retried; each failure that would have been retried counts as a flake.
            Ctrl-C, SIGTERM and SIGHUP end the current run; after the results so far, the command ends by that signal, too
            (a shell shows 130, 143, 129). --for ends it as usual.
            Exit code 0 if nothing failed or flaked, 1 if something did, 2 if the command could not be run, if a run left no
            report and showed no test, or if all tests were skipped in all runs. With --than: 0 if fewer runs failed or flaked
            (Fisher's exact test, p below 0.05), and all tests that failed before have run and were never skipped, else 1.
            """,
        endsWithCommand: true
    )

    /// The greatest number of runs. They take weeks, so a larger number is a typing error.
    static let most = 1_000_000

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let command = try arguments.commandToRun(after: 1)
        let times = try RunTimes(arguments)
        let count = try arguments.files.first.map { number in
            guard let count = Int(number), 1...most ~= count else {
                throw Problem("the number of runs is \"\(number)\", not a whole number from 1 to \(most)")
            }
            return count
        }
        guard count != nil || times.total != nil else {
            throw Problem("repeat needs the number of runs, or --for (\(syntax.usage))")
        }
        let isUntilFlake = arguments.has("--until-flake")
        let condition: Condition? = try arguments.choice("--under")
        let format: ResultFormat = try arguments.choice("--format") ?? .text
        try condition?.check(for: command)
        let words = (condition.map { ["--under", $0.rawValue] } ?? []) + ["--"] + command.map(\.shellWord)
        func kept(in folder: String) -> KeptRepetitions {
            KeptRepetitions(folder: folder, command: words.joined(separator: " "), context: context)
        }
        let before = try arguments.text("--than").map { try kept(in: $0).results() }
        let comparison = ConditionComparison(of: [condition], rounds: count)
        let keep = try arguments.text("--keep").map(kept)
        let loop = try RepeatLoop(times: times, keptIn: keep, in: context)

        loop.run(command, comparison, isUntilFlake: isUntilFlake)
        if let bad = loop.firstBad, isUntilFlake || bad.outcome != .flaked {
            context.log("run \(bad.number) \(bad.outcome) (\(bad.ending)); it wrote:")
            context.showEnd(of: bad.output, lines: isUntilFlake ? 200 : 30)
        }
        let now = loop.comparison.asIs.tally
        let fix = before.map { KeptRepetitions.comparison(of: loop, with: $0) }
        if loop.hasResults {
            var results = results(of: loop)
            results.before = before?.tally
            if let fix { results.totals.append(fix.sentence) }
            try context.write(format.bytes(of: results, hasColor: context.hasColor()), to: nil)
        }
        try loop.finish()
        if let problem = loop.noTestRan, fix == nil, now.bad == 0 { throw problem }
        guard loop.hasResults else { return .problem }
        return fix?.isBetter ?? (now.bad == 0) ? .fine : .checkFailed
    }

    private static func results(of loop: RepeatLoop) -> RepetitionResults {
        var results = loop.results
        let history = History(loop.records)
        if loop.comparison.asIs.condition == nil {
            results.history = history
        } else {
            // No verdicts, because under a condition a flake may fail each time.
            results.sentences = history.marks.map {
                "\($0.newest.mark.reason), at \($0.newest.place): \($0.evidence.sentence)"
            }
        }
        let (runs, time) = (loop.comparison.asIs.tally.runs.of("run"), Durations.text(loop.seconds))
        results.totals = ["\(runs) in \(time): \(RepetitionOutcome.text(results.outcomes))"]
        return results
    }
}
