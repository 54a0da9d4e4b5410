import Foundation
import Groundwork
import RetryReport

/// The folder in which `repeat --keep` keeps runs, for `--than`, which compares with them, and `retries history`.
struct KeptRepetitions {
    let folder: String
    /// The condition and the command of its runs. Only runs of the same command under the same condition can be compared.
    let command: String
    let context: CommandContext

    /// The number of kept runs, the tests that failed in each bad one, the names that several of its tests had, the settings.
    typealias Results = (tally: Tally, failed: [[String]], ambiguous: Set<String>, settings: Set<String>)

    func results() throws -> Results {
        let files = try reports()
        let paths = files.map { context.absolute(String($0.name.dropLast(5))) }
        guard !paths.isEmpty else { throw Problem("\(folder) holds no runs that retries repeat --keep has kept") }
        let bad = paths.filter { access("\($0).log", F_OK) == 0 }
        let failed = bad.map { FilePath("\($0).tests").readText()?.split(separator: "\n").map(String.init) ?? [] }
        let ambiguous = Set(try bad.flatMap { try TestOutput(FilePath("\($0).log").read()).ambiguous })
        let settings = Set(try files.flatMap { try $0.report(in: context).run?.allSettings ?? [] })
        return (Tally(runs: paths.count, bad: bad.count), failed, ambiguous, settings)
    }

    /// Makes the folder if it is missing.
    func prepare() throws {
        do { try FilePath(context.absolute(folder)).makeFolder() } catch {
            throw Problem("the folder \(folder) cannot be made: \(error)")
        }
        _ = try reports()
        try context.write(Array(command.utf8), to: commandFile)
    }

    private var commandFile: String { "\(folder)/command.txt" }

    private func reports() throws -> [InputFile] {
        // The output of a run may look like a report, too.
        let reports = try context.input(folder).candidates(in: context).filter(\.isCalledJSON)
        let kept = FilePath(context.absolute(commandFile)).readText()
        guard reports.isEmpty || kept == command else {
            let others = kept.map { "runs of \"\($0)\"" } ?? "reports of other runs"
            throw Problem("\(folder) holds \(others), and these are of \"\(command)\"")
        }
        return reports
    }

    /// Keeps the report of a run and, if it did not pass, its output and the names of those of `tests` that did not.
    func keep(_ repetition: Repetition, of tests: Set<String>, since start: Date) throws {
        let time = Timestamp.text(start).filter(\.isNumber)
        let number = String(format: "%04d", repetition.number)
        let name = "\(folder)/\(time.prefix(8))-\(time.dropFirst(8).prefix(6))-\(number)"
        if repetition.isBad {
            try context.write(repetition.output, to: "\(name).log")
            // A failure of no known test is that of a test that ran alone.
            let known = repetition.badTests.union(repetition.testOutcomes.filter { $1 != .passed }.keys)
            // Where the output names no test that began, the report's names are all there is.
            let bad = tests.isEmpty ? known : known.intersection(tests)
            try context.write(Array(bad.sorted().joined(separator: "\n").utf8), to: "\(name).tests")
        }
        // Last, because a run counts that has a report, and as passed without a log.
        try context.write(repetition.report.json(), to: "\(name).json")
    }

    // MARK: - Comparing

    /// Compares runs with earlier ones, in a sentence such as `12 of 100 before, 0 of 100 now: p < 0.001, it is better`. If there
    /// is an objection, it is not better in any case.
    static func comparison(of loop: RepeatLoop, with before: Results) -> (sentence: String, isBetter: Bool) {
        let (row, earlier, objection) = (loop.comparison.asIs, before.tally, objection(to: loop, before: before))
        // A run that passed without a test that failed before shows nothing.
        let again = Set(before.failed.joined()).intersection(row.ran).subtracting(row.unproven)
        let passes = again.map { row.tests[$0, default: Tally()] }.map { $0.runs - $0.bad }
        var now = row.tally
        now.runs = min(now.runs, now.bad + (passes.min() ?? now.runs))
        let (isLess, p) = (now.rate < earlier.rate, now.p(against: earlier))
        let verdict =
            switch (isLess, p < 0.05) {
            case (true, true): "it is better"
            case (true, false): "more runs may show that it is better"
            case (false, true): "it is worse"
            case (false, false): "it is not better"
            }
        let numbers = "\(earlier.bad) of \(earlier.runs) before, \(now.bad) of \(now.runs) now: \(Tally.text(p: p))"
        return ("\(numbers), \(objection ?? verdict)", objection == nil && isLess && p < 0.05)
    }

    /// The reason why these runs show no fix, if there is one: other settings, or a test that was not seen to run again.
    private static func objection(to loop: RepeatLoop, before: Results) -> String? {
        let now = loop.comparison.asIs
        let differing = before.settings.symmetricDifference(loop.settings).filter {
            now.condition != .taskOrder || !$0.hasPrefix(EnvironmentVariable.taskSeed.rawValue)
        }
        if !differing.isEmpty, !before.settings.isEmpty, !loop.settings.isEmpty {
            let texts = [before.settings, loop.settings].map { $0.intersection(differing).sorted() }
            let words = texts.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") }
            return "but the settings differ: \(words[0]) before, \(words[1]) now"
        }
        let unnamed = before.failed.count(where: \.isEmpty)
        if unnamed > 0 { return "but it is not known which tests failed in \(unnamed.of("run")) before" }
        let failed = Set(before.failed.joined())
        let unproven = failed.intersection(now.unproven)
        let objections: [(tests: Set<String>, text: String)] = [
            (failed.subtracting(now.ran).subtracting(unproven), " and did not run now"),
            (failed.intersection(before.ambiguous.union(loop.ambiguous)), ", and \(TestOutput.nameLimit)"),
            (unproven.subtracting(loop.onlyListed), " and was \(TestOutput.skipped(unproven)) now"),
            (unproven.intersection(loop.onlyListed), ", and \(TestOutput.listingLimit)"),
        ]
        return objections.first { !$0.tests.isEmpty }.map { "but \($0.sorted().firstFew) failed before\($1)" }
    }
}

extension Report.Run {
    /// The mode and the other settings, such as `RETRYABLE_TASK_SEED=3`; none if no process wrote the report, as each run of
    /// `repeat` has a setting.
    var allSettings: [String] {
        settings.isEmpty ? [] : settings.map { "\($0)=\($1)" } + ["\(EnvironmentVariable.mode.rawValue)=\(mode)"]
    }
}
