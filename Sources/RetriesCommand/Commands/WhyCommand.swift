import Foundation
import Groundwork

/// `retries why`: compares conditions, to find the cause of a flake.
enum WhyCommand: Command {
    static let syntax = Syntax(
        name: "why",
        usage: "retries why [OPTION…] -- COMMAND…",
        summary: "Find the cause of a flake: run tests as is and under conditions, and compare.",
        options: [
            ("--conditions NAMES", "The conditions to try, separated by commas (default: all of this system)."),
            ("--runs N", "The runs under each condition, unless the result is clear earlier (default: 24)."),
            ("--for DURATION", "Begin no run after this time: 90s, 30m, 2h."),
            ResultFormat.option,
        ],
        discussion: """
            COMMAND is anything that runs tests; it need only run those that flake:

              retries why -- swift test --skip-build --filter CartTests

            Runs of the command as is take turns with runs under each of these conditions:

            \(Condition.help)

            A condition matters if its runs fail or flake more or less often than chance explains: Fisher's exact test with
            Holm's correction, at the level 0.05 at the end and 0.005 after 10, 15 and 20 runs.
            Ctrl-C ends the current run and shows the results so far.
            Exit code 0 if there are results, even if no cause was found, 2 if the command could not be run or ran no test.
            """,
        endsWithCommand: true
    )

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let command = try arguments.commandToRun(after: 0)
        let conditions = try arguments.choices("--conditions", of: Condition.self)
        let rounds = min(try arguments.count("--runs", from: 1) ?? 24, RepeatCommand.most)
        let limit = try arguments.duration("--for")
        let format = try ResultFormat(arguments) ?? .text
        for condition in conditions { try condition.check(for: command) }
        let chosen = Condition.allCases.filter { condition in
            let isDefault = condition != .races && condition.arguments(command) != nil
            return conditions.isEmpty ? isDefault : conditions.contains(condition)
        }
        if chosen.contains(.races) {
            context.log("the runs for races build in .build/retries-why, which takes a while")
        }
        let comparison = Comparison(of: [nil] + chosen, rounds: chosen == [.races] ? 3 : rounds)
        let repetition = try Repetition(command, comparison, limit: limit, in: context)
        let hasResults = try repetition.run {
            let results = results(of: repetition, command)
            try context.write(format.bytes(of: results, for: context.terminal()), to: nil)
        }
        return hasResults ? .fine : .problem
    }

    private static func results(of repetition: Repetition, _ command: [String]) -> RunResults {
        let (comparison, races) = (repetition.comparison, repetition.races.sorted())
        let causes = comparison.causes.compactMap(\.condition) + (races.isEmpty ? [] : [.races])
        var results = repetition.results
        results.causes = causes.map(\.rawValue)
        results.races = comparison.rows.contains { $0.condition == .races && $0.tally.runs > 0 } ? races : nil
        results.sentences = comparison.causes.compactMap { $0.condition?.sentence($0.tally, asIs: comparison.first) }
        results.sentences += races
        if let cause = causes.first {
            let isLess = comparison.causes.first.map { $0.tally.rate < comparison.first.rate } ?? false
            results.sentences.append(isLess ? "To see it pass:" : "To reproduce it:")
            let words = command.map(\.shellWord).joined(separator: " ")
            results.command = "swift run retries repeat 20 --under \(cause.rawValue) -- \(words)"
            return results
        }
        if let bound = comparison.rows.filter(\.isCompared).map(\.tally.interval.high).max() {
            let runs = comparison.first.runs.of("run")
            let limit = bound < 1 ? ": under each it fails in less than \(bound.percent) of the runs" : ""
            results.sentences.append("No condition makes a difference that \(runs) show\(limit).")
        }
        if results.races != nil {
            results.sentences.append("No run with the thread sanitizer showed a data race.")
        } else if Condition.races.arguments(command) != nil {
            results.sentences.append("Data races were not looked for; --conditions races looks for them.")
        }
        return results
    }
}
