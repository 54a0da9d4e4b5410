import RetryReport

enum WhyCommand: Command {
    static let syntax = Syntax(
        name: "why",
        usage: "retries why [OPTION…] -- COMMAND…",
        summary: "Find the cause of a flake: run tests as is and under conditions, and compare.",
        options: [
            ("--conditions NAMES", "The conditions to try, separated by commas (default: all of this system)."),
            ("--for DURATION", "Begin no run after this time (default: 2m; 5m if a run takes longer than 0.3 s)."),
            ("--runs N", "Run as often under each condition, instead of for a time."),
            RunTimes.option,
            ResultFormat.option,
        ],
        discussion: """
            COMMAND is anything that runs tests; it need only run those that flake:

              retries why -- swift test --skip-build --filter CartTests

            Runs of the command as is take turns with runs under these conditions, most of all under the first five:

            \(Condition.help)

            A condition matters if its runs fail or flake more or less often than chance explains: Fisher's exact test after
            10, 20, 40 … runs and at the end, at levels that add up to 0.03 for all conditions (0.05 with --runs). Once one
            is found, only those go on that may be another. with-all is left out if a run takes a tenth of the time. If it
            matters, the time that is left goes to finding the other test, or the two, that make swift test's fail. If
            task-order does, a few more runs look for a seed with which the tests fail each time.
            Ctrl-C, SIGTERM and SIGHUP end the current run; after the results so far, the command ends by that signal, too
            (a shell shows 130, 143, 129). --for ends it as usual.
            Exit code 0 if there are results, even if no cause was found, 2 if the command could not be run or ran no test.
            """,
        endsWithCommand: true
    )

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let command = try arguments.commandToRun(after: 0)
        let conditions: [Condition] = try arguments.choices("--conditions")
        let runs = try arguments.count("--runs", from: 1).map { min($0, RepeatCommand.most) }
        let format: ResultFormat = try arguments.choice("--format") ?? .text
        for condition in conditions { try condition.check(for: command) }
        let chosen = Condition.allCases.filter { condition in
            let isDefault = condition.isCompared && condition.arguments(command) != nil
            return conditions.isEmpty ? isDefault : conditions.contains(condition)
        }
        if chosen.contains(.races) {
            context.log("the runs for races build in .build/retries-why, which takes a while")
        }
        let rounds = chosen == [.races] ? 3 : runs
        let times = try RunTimes(arguments, isTimed: rounds == nil)
        let comparison = ConditionComparison(of: [nil] + chosen, rounds: rounds)
        let loop = try RepeatLoop(times: times, in: context)
        loop.run(command, comparison)
        if loop.hasResults {
            try context.write(format.bytes(of: results(of: loop, command), hasColor: context.hasColor()), to: nil)
        }
        try loop.finish()
        if let problem = loop.noTestRan { throw problem }
        return loop.hasResults ? .fine : .problem
    }

    private static func results(of loop: RepeatLoop, _ command: [String]) -> RepetitionResults {
        let (comparison, asIs, races) = (loop.comparison, loop.comparison.asIs.tally, loop.races.sorted())
        let causes = comparison.causes.compactMap(\.condition) + (races.isEmpty ? [] : [.races])
        var results = loop.results
        results.causes = causes.map(\.rawValue)
        results.tests = loop.tests.isEmpty ? nil : loop.tests.sorted()
        results.races = comparison.rows.contains { $0.condition == .races && $0.tally.runs > 0 } ? races : nil
        let findings = comparison.causes.compactMap { row in row.condition?.finding(row.tally, asIs: asIs) }
        for (cause, observation) in findings.filter({ $0.cause != nil }) + findings.filter({ $0.cause == nil }) {
            let newCause = cause.flatMap { cause in results.sentences.contains { $0.hasPrefix(cause) } ? nil : cause }
            results.sentences.append((newCause.map { "\($0): it" } ?? "It") + " \(observation).")
        }
        if let (test, others) = loop.search {
            let name = loop.tests.count == 1 ? "It" : test
            results.otherTests = others
            let none = "No other test, and no two, were found in this time (--for) that make \(test) fail."
            results.sentences += others?.sentences(of: name) ?? [none]
        }
        results.sentences += races + skips(in: loop)
        if let cause = causes.first {
            let isLess = loop.seed == nil && comparison.causes.first.map { $0.tally.rate < asIs.rate } ?? false
            results.sentences.append(isLess ? "To see it pass:" : "To reproduce it:")
            let others = loop.search?.others.map { OtherTests.filters($0.names) }
            let words = (command + (others ?? [])).map(\.shellWord).joined(separator: " ")
            let seed = loop.seed.map { "\(EnvironmentVariable.taskSeed.rawValue)=\($0) \(words)" }
            let condition = others == nil ? " --under \(cause.rawValue)" : ""
            results.command = seed ?? "swift run retries repeat 20\(condition) -- \(words)"
            return results
        }
        let compared = comparison.rows.filter(\.isCompared)
        if let bound = compared.map(\.tally.interval.high).max() {
            let runs = asIs.runs == 1 ? "1 run shows" : "\(asIs.runs) runs show"
            let isProven = loop.noTestRan == nil && compared.allSatisfy { comparison.unproven(in: $0).isEmpty }
            let rare = isProven && bound <= 0.1 ? ": under each it fails in less than \(bound.percent) of the runs" : ""
            let tallies = (compared + [comparison.asIs]).map(\.tally)
            let isAlways = tallies.allSatisfy { $0.runs > 0 && $0.bad == $0.runs }
            let note = isAlways ? ": it failed or flaked in each, as under each condition" : rare
            results.sentences.append("No condition makes a difference that \(runs)\(note).")
        }
        if results.races != nil {
            results.sentences.append("No run with the thread sanitizer showed a data race.")
        } else if Condition.races.arguments(command) != nil {
            results.sentences.append("Data races were not looked for; --conditions races looks for them.")
        }
        return results
    }

    /// A sentence for each condition under which tests were skipped that ran as is, and one if the output does not tell.
    private static func skips(in loop: RepeatLoop) -> [String] {
        let comparison = loop.comparison
        let rows = comparison.rows.filter(\.isCompared)
        var sentences = rows.compactMap { row in
            let skipped = comparison.unproven(in: row).subtracting(loop.onlyListed).sorted()
            return skipped.isEmpty ? nil : row.condition?.sentence(skipped: skipped)
        }
        if rows.contains(where: { !comparison.unproven(in: $0).isDisjoint(with: loop.onlyListed) }) {
            sentences.append("\(TestOutput.listingLimit.prefix(1).uppercased())\(TestOutput.listingLimit.dropFirst()).")
        }
        return sentences
    }
}
