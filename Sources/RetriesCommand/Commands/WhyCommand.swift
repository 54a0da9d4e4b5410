import Foundation
import Groundwork

/// `retries why`: compares conditions, to find the cause of a flake.
struct WhyCommand: Command {
    static let syntax = Syntax(
        name: "why",
        usage: "retries why [OPTION…] -- COMMAND…",
        summary: "Find the cause of a flake: run tests as is and under conditions, and compare.",
        options: [
            .init("--conditions NAMES", "Some of the conditions below, with commas (all that this system has)."),
            .init("--runs N", "The number of runs under each condition, unless all is clear before (24)."),
            .init("--for DURATION", "Begin no run after this time: 90s, 30m, 2h."),
            WhyFormat.option,
        ],
        discussion: """
            COMMAND is anything that runs tests; those that flake are enough:

              retries why -- swift test --skip-build --filter CartTests

            These conditions and the command as is take turns:

            \(Condition.help)

            A condition matters if its runs fail or flake more or less often than chance explains: Fisher's exact test with
            Holm's correction, at 0.05 in the end and at 0.005 after 10, 15 and 20 runs.
            Ctrl-C ends the current run and shows the results so far.
            Exit code 0 if there are results, also without a cause, 2 if the command could not be run or ran no test.
            """,
        endsWithCommand: true
    )

    let conditions: [Condition]
    let rounds: Int
    let limit: Double?
    let format: WhyFormat
    let command: [String]

    init(_ arguments: Arguments) throws {
        guard arguments.files.isEmpty, !arguments.command.isEmpty else {
            throw Problem("why needs a command to run, after -- (\(Self.syntax.usage))")
        }
        conditions = try arguments.choices("--conditions", of: Condition.self)
        rounds = try arguments.count("--runs", from: 1) ?? 24
        limit = try arguments.duration("--for")?.seconds
        format = try WhyFormat(arguments) ?? .text
        command = arguments.command
    }

    func run(in context: CommandContext) throws -> ExitCode {
        for condition in conditions { try condition.check(for: command, in: context) }
        let compared = Condition.allCases.filter { condition in
            let isWanted = conditions.contains(condition)
            let isDefault = conditions.isEmpty && condition.isAvailable(for: command, in: context.environment)
            return condition != .races && (isWanted || isDefault)
        }
        var search = CauseSearch(of: compared, rounds: rounds, command: command)
        let progress = Progress(total: nil, limit: limit, isTerminal: context.isErrorTerminal)
        let repetition = try Repetition(command, progress: progress, in: context)
        let result = Result {
            defer { repetition.end() }
            try search.compare(repetition, in: context)
            if conditions.contains(.races) { try search.findRaces(repetition, in: context) }
        }
        if search.comparison.asIs.runs > 0 || search.races != nil {
            let folder = context.packageFolder ?? context.workingDirectory
            let marks = SuggestedMark.suggestions(for: search.failures, in: folder)
            try context.write(try format.bytes(of: search, marks), to: nil)
        }
        try result.get()
        if repetition.wasInterrupted { context.log("interrupted") }
        return search.comparison.asIs.runs > 0 || search.races != nil ? .fine : .problem
    }
}

/// The runs under all conditions, and the sentences about them.
struct CauseSearch {
    private(set) var comparison: Comparison
    /// The failures of each run, apart from those of tests that the command does not run as is.
    private(set) var failures: [[TestOutput.TestFailure]] = []
    /// A sentence for each data race; `nil` if none was looked for.
    private(set) var races: [String]?
    private let command: [String]
    /// The tests that the command runs as is.
    private var tests: Set<String> = []

    init(of conditions: [Condition], rounds: Int, command: [String]) {
        comparison = Comparison(of: conditions, rounds: rounds)
        self.command = command
    }

    /// Runs the command until all conditions are decided.
    fileprivate mutating func compare(_ repetition: Repetition, in context: CommandContext) throws {
        while case let conditions = comparison.nextRound, !conditions.isEmpty {
            let left = (comparison.rounds - comparison.round) * conditions.count
            repetition.progress.total = repetition.progress.tally.runs + left
            for condition in conditions {
                guard !repetition.isOver else { return comparison.decide(isEarly: repetition.wasInterrupted) }
                let isFirst = comparison.rows.contains { $0.condition == condition && $0.tally.runs == 0 }
                do {
                    if let run = try repetition.perform(under: condition) { add(run) }
                } catch let problem as Repetition.NoReport where !isFirst || condition != nil {
                    // A run without tests is neither good nor bad. If it is the first, the condition breaks the command.
                    guard let condition, isFirst else { continue }
                    comparison.remove(condition)
                    context.log("left out \(condition.rawValue), under which no test ran: \(problem.lastLine)")
                }
            }
            comparison.endRound()
        }
    }

    /// Runs the command three times with the thread sanitizer.
    fileprivate mutating func findRaces(_ repetition: Repetition, in context: CommandContext) throws {
        context.log("building and running with the thread sanitizer in .build/retries-why")
        repetition.progress.total = repetition.progress.tally.runs + 3
        var outputs: [[UInt8]] = []
        do {
            while !repetition.isOver, let run = try repetition.perform(under: .races) { outputs.append(run.output) }
        } catch let problem as Repetition.NoReport {
            context.log("left out races, because no test ran with the sanitizer: \(problem.lastLine)")
            return
        }
        races = Races.sentences(in: outputs, folder: context.packageFolder ?? context.workingDirectory)
    }

    private mutating func add(_ run: Repetition.Run) {
        var outcome = run.outcome
        if run.condition == nil { tests.formUnion(run.tests.began) }
        if run.condition == .withAll {
            guard let isBad = run.tests.isBad(tests, run.report) else { return }
            outcome = !isBad ? .passed : outcome == .passed ? .failed : outcome
        } else {
            failures.append(run.unmarkedFailures)
        }
        comparison.update(run.condition) { $0.add(outcome) }
    }

    // MARK: - Results

    var causes: [Condition] { comparison.causes.compactMap(\.condition) + (races?.isEmpty == false ? [.races] : []) }

    /// The sentences about causes, or about their absence.
    var sentences: [String] {
        var sentences = comparison.causes.compactMap { $0.condition?.sentence($0.tally, asIs: comparison.asIs) }
        sentences += races ?? []
        guard sentences.isEmpty else { return sentences }
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

    /// The command that reproduces the clearest cause; `nil` without one.
    var reproduction: (label: String, command: String)? {
        guard let cause = causes.first else { return nil }
        let isLess = comparison.causes.first.map { $0.tally.rate < comparison.asIs.rate } ?? false
        let words = command.map { word in
            let isPlain = word.range(of: "^[A-Za-z0-9_./:=,@%+-]+$", options: .regularExpression) != nil
            return isPlain ? word : "'\(word.replacingOccurrences(of: "'", with: "'\\''"))'"
        }
        let label = isLess ? "To see it pass:" : "To reproduce it:"
        return (label, "swift run retries repeat 20 --under \(cause.rawValue) -- \(words.joined(separator: " "))")
    }
}

/// A shape that causes can be shown in.
enum WhyFormat: String, OutputFormat {
    case text, markdown, json

    var purpose: String {
        switch self {
        case .text: "for a terminal (the default)"
        case .markdown: "a table, for a comment"
        case .json: "for scripts: conditions, causes, command, marks"
        }
    }

    func bytes(of search: CauseSearch, _ marks: [SuggestedMark]) throws -> [UInt8] {
        let rows = search.comparison.rows
        let reproduction = search.reproduction.map { "\($0.label)  \($0.command)" }
        switch self {
        case .text:
            let table = rows.map { row in
                let note = row.condition == nil ? "  runs failed or flaked (\(row.tally.interval.text))" : ""
                return (row.name.replacingOccurrences(of: "-", with: " "), row.tally.text + note + row.significance)
            }
            let lines = search.sentences + [reproduction].compactMap(\.self)
            let text = (rows.count > 1 ? "\(Syntax.table(table))\n\n" : "") + lines.map { "\($0.onOneLine)\n" }.joined()
            return Array((text + SuggestedMark.text(of: marks)).utf8)
        case .markdown:
            var text = "| Condition | Failed or flaked | p |\n|---|---|---|\n"
            for row in rows { text += "| \(row.name) | \(row.tally.text) | \(row.significance) |\n" }
            for sentence in search.sentences { text += "\n\(MarkdownText.plain(sentence))\n" }
            if let reproduction { text += "\n\(MarkdownText.code(reproduction))\n" }
            for mark in marks {
                text += "\n- \(MarkdownText.plain(mark.sentence))<br>\(MarkdownText.code(mark.advice))\n"
            }
            return Array(text.utf8)
        case .json:
            return try JSONText.bytes(of: Document(search, marks))
        }
    }

    /// The names of JSON.
    private struct Document: Encodable {
        let conditions: [Entry]
        let causes: [String]
        let races: [String]?
        let command: String?
        let marks: [Entry]

        /// A condition, or a suggested mark.
        struct Entry: Encodable {
            var name, place, test, mark: String?
            let runs, bad: Int
            var p: Double?
        }

        init(_ search: CauseSearch, _ marks: [SuggestedMark]) {
            conditions = search.comparison.rows.map { row in
                let p = row.condition == nil ? nil : row.p
                return Entry(name: row.name, runs: row.tally.runs, bad: row.tally.bad, p: p)
            }
            causes = search.causes.map(\.rawValue)
            races = search.races
            command = search.reproduction?.command
            self.marks = marks.map {
                Entry(place: $0.place, test: $0.test, mark: $0.mark, runs: $0.tally.runs, bad: $0.tally.bad)
            }
        }
    }
}

extension Comparison.Row {
    fileprivate var name: String { condition?.rawValue ?? "as-is" }
    fileprivate var significance: String { state == .found ? "  \(Tally.text(p: p))" : "" }
}
