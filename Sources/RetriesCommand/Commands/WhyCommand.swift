import Foundation
import Groundwork

/// `retries why`: compares conditions, to find the cause of a flake.
struct WhyCommand: Command {
    static let syntax = Syntax(
        name: "why",
        usage: "retries why [OPTION…] -- COMMAND…",
        summary: "Find the cause of a flake: run tests as is and under conditions, and compare.",
        options: [
            .init("--conditions NAMES", "The conditions to try, separated by commas (default: all of this system)."),
            .init("--runs N", "The runs under each condition, unless the result is clear earlier (default: 24)."),
            .init("--for DURATION", "Begin no run after this time: 90s, 30m, 2h."),
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

    private let conditions: [Condition]
    private let rounds: Int
    private let limit: Double?
    private let format: ResultFormat
    private let command: [String]

    init(_ arguments: Arguments) throws {
        guard arguments.files.isEmpty, !arguments.command.isEmpty else {
            throw Problem("why needs a command to run, after -- (\(Self.syntax.usage))")
        }
        conditions = try arguments.choices("--conditions", of: Condition.self)
        rounds = min(try arguments.count("--runs", from: 1) ?? 24, RepeatCommand.most)
        limit = try arguments.duration("--for")?.seconds
        format = try ResultFormat(arguments) ?? .text
        command = arguments.command
    }

    func run(in context: CommandContext) throws -> ExitCode {
        for condition in conditions { try condition.check(for: command, in: context) }
        let compared = Condition.allCases.filter { condition in
            let isDefault = conditions.isEmpty && condition.isAvailable(for: command, in: context.environment)
            return condition != .races && (isDefault || conditions.contains(condition))
        }
        let comparison = Comparison(of: [nil] + compared, rounds: rounds)
        let progress = Progress(total: nil, limit: limit, isTerminal: context.isErrorTerminal)
        let repetition = try Repetition(command, comparison, progress, in: context)
        var races: [String]?
        let result = Result {
            if comparison.isComparison { try repetition.run() }
            if conditions.contains(.races) { races = try repetition.findRaces() }
        }
        let hasResults = repetition.comparison.first.runs > 0 || races != nil
        if hasResults {
            let results = results(of: repetition, races)
            try context.write(format.bytes(of: results, for: context.terminal()), to: nil)
        }
        try result.get()
        if repetition.wasInterrupted { context.log("interrupted") }
        return hasResults ? .fine : .problem
    }

    private func results(of repetition: Repetition, _ races: [String]?) -> RunResults {
        let comparison = repetition.comparison
        let causes = comparison.causes.compactMap(\.condition) + (races?.isEmpty == false ? [.races] : [])
        var sentences = comparison.causes.compactMap { $0.condition?.sentence($0.tally, asIs: comparison.first) }
        sentences += races ?? []
        var results = repetition.results
        results.causes = causes.map(\.rawValue)
        results.races = races
        results.sentences = sentences.isEmpty ? sentencesWithoutCause(comparison, races) : sentences
        if let cause = causes.first {
            let words = command.map(\.shellWord).joined(separator: " ")
            let isLess = comparison.causes.first.map { $0.tally.rate < comparison.first.rate } ?? false
            results.command = "swift run retries repeat 20 --under \(cause.rawValue) -- \(words)"
            results.commandLabel = isLess ? "To see it pass:" : "To reproduce it:"
        }
        return results
    }

    /// The sentences where no cause was found.
    private func sentencesWithoutCause(_ comparison: Comparison, _ races: [String]?) -> [String] {
        var sentences: [String] = []
        if comparison.rows.count > 1 {
            let bound = comparison.rows.map(\.tally.interval.high).max() ?? 1
            let runs = (comparison.rows.map(\.tally.runs).max() ?? 0).of("run")
            let limit = bound < 1 ? ": under each it fails in less than \(bound.percent) of the runs" : ""
            sentences.append("No condition makes a difference that \(runs) show\(limit).")
        }
        if races != nil {
            sentences.append("No run with the thread sanitizer showed a data race.")
        } else if Condition.races.arguments(command) != command {
            sentences.append("Data races were not looked for; --conditions races does that.")
        }
        return sentences
    }
}

extension String {
    /// This text as one word for a shell.
    fileprivate var shellWord: String {
        let isPlain = range(of: "^[A-Za-z0-9_./:=,@%+-]+$", options: .regularExpression) != nil
        return isPlain ? self : "'\(replacingOccurrences(of: "'", with: "'\\''"))'"
    }
}
