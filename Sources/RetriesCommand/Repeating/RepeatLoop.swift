import Foundation
import Groundwork
import RetryReport

/// The runs of a command for `repeat`, `why` and `new`, under one condition or under several that take turns.
///
/// Each run, a ``Repetition``, writes a report of its own.
final class RepeatLoop {
    private var command: [String] = []
    private let kept: KeptRepetitions?
    private let context: CommandContext
    private let runner: CommandRunner
    /// The beginning of the first run; for a comparison, as if no time had gone by while a run built.
    private var start: Date
    private var progress: RepetitionProgress
    private var times: RunTimes
    /// The seconds after the beginning of the first run after which none begins.
    private var end = Double.infinity
    /// The error that ended the runs.
    private var failure: (any Error)?

    private(set) var comparison = ConditionComparison(of: [nil])
    /// The tests that began, without those that only ``Condition/withAll`` runs.
    private(set) var tests: Set<String> = []
    /// The tests of which a run's output shows no more than that SwiftPM ran or skipped them.
    private(set) var onlyListed: Set<String> = []
    /// The names that several tests of a run had.
    private(set) var ambiguous: Set<String> = []
    private(set) var settings: Set<String> = []
    private(set) var records: [RunRecord] = []
    /// The failures that the output of all runs shows, with paths from the package.
    private(set) var failures: [TestOutput.TestFailure] = []
    /// Those of each run outside of sections.
    private var unmarkedFailures: [SuggestedMark.Run] = []
    private(set) var races: Set<String> = []
    private(set) var firstBad: Repetition?
    /// The tests whose failures count, by their names in the output; all if it is `nil`.
    var judged: Set<String>?
    /// The first run that failed though none of those is known to be the cause, and the number of such runs.
    private(set) var unexplained: (first: Repetition, count: Int)?
    /// The turns that did not pass under ``Condition/taskOrder``; the seed of a turn is the next number.
    private var badTurns: [Int] = []
    /// A seed with which the tests fail again and again, if the order of tasks matters.
    private(set) var seed: Int?
    /// The tests of the last run under ``Condition/withAll``, in their order.
    private var order: [String] = []
    /// The test that fails more often with all, and those that make it fail, if they were found.
    private(set) var search: (test: String, others: OtherTests?)?

    init(times: RunTimes, keptIn kept: KeptRepetitions? = nil, in context: CommandContext) throws {
        self.kept = kept
        self.context = context
        self.times = times
        progress = RepetitionProgress(isTerminal: context.isErrorTerminal)
        start = context.now()
        runner = try CommandRunner(in: context)
        try kept?.prepare()
    }

    var seconds: Double { context.now().timeIntervalSince(start) }
    private var isOver: Bool { isStopped || seconds >= min(end, times.total ?? .infinity) }
    /// Whether an error or a signal has ended the runs.
    var isStopped: Bool { failure != nil || runner.signalNumber != nil }
    var runs: Int { progress.done }
    private var number: Int { runs + 1 }
    private var package: String {
        let context = context.inPackage(of: command)
        return context.packageFolder ?? context.workingDirectory
    }

    /// Whether a run has ended; its results are shown even if an error ended the runs.
    var hasResults: Bool { comparison.asIs.tally.runs > 0 }

    var results: RepetitionResults {
        // A few runs say nothing of a rate; those of a cause were tested.
        let rows = (comparison.asIs.tally.runs < 10 ? [] : [comparison.asIs]) + comparison.causes
        let marks = SuggestedMark.suggestions(for: unmarkedFailures, under: rows.map(\.condition))
        return RepetitionResults(conditions: comparison.rows, outcomes: progress.counts, marks: marks)
    }

    /// The error for runs in which all tests were skipped.
    var noTestRan: Problem? {
        let hasRun = comparison.rows.contains { !$0.ran.isEmpty }
        let skipped = hasRun ? [] : Set(comparison.rows.flatMap(\.unproven)).subtracting(onlyListed).sorted()
        return skipped.isEmpty ? nil : Problem("no test ran: skipped in each run: \(skipped.firstFew)")
    }

    // MARK: - The runs

    /// Runs a command until all is decided, the time is over, this process is asked to end, or an error ends the runs.
    ///
    /// - Parameter end: A part of the time, for a command that others follow.
    func run(
        _ command: [String],
        _ comparison: ConditionComparison,
        until end: Double = .infinity,
        isUntilFlake: Bool = false
    ) {
        (self.command, self.comparison, self.end) = (command, comparison, end)
        do {
            if comparison.rows.map(\.condition) == [.withAll] { try findTests() }
            while !isOver, !isUntilFlake || firstBad == nil, let row = self.comparison.nextRow { try runOnce(in: row) }
            self.comparison.decide(isEarly: runner.signalNumber != nil)
            try findSeed()
            try findOtherTests()
        } catch { failure = error }
        context.writeError(progress.end)
    }

    /// Has other runs follow, though the last ones were without a test.
    func goOnWithoutTests() {
        if failure is NoTests { failure = nil }
    }

    /// Throws the error that ended the runs; also if they were interrupted. Called after the results are shown.
    func finish() throws {
        if let failure {
            if !(failure is Problem) { context.showEnd(of: runner.output, lines: 20) }
            throw failure
        }
        guard let signalNumber = runner.signalNumber else { return }
        context.log("interrupted")
        throw Interrupted(signalNumber: signalNumber)
    }

    /// Runs the command as is, to find the tests by which runs of all tests are judged.
    private func findTests() throws {
        for _ in 0..<5 {
            guard let repetition = try perform() else { return }
            tests.formUnion(repetition.tests.began)
            if let reason = whyNotJudged(repetition) { throw Problem("\(reason), so with-all cannot be judged") }
            // Of one that died, some may not have begun.
            if repetition.outcome != .died, repetition.tests.open.isEmpty { return }
        }
        throw Problem("each of 5 runs as is died, and may have left out tests, so with-all cannot be judged")
    }

    /// The reason why a run of all tests cannot be judged by those that run as is; `nil` if it can.
    private func whyNotJudged(_ run: Repetition) -> String? {
        if tests.isEmpty { return "the output does not name the tests that begin" }
        // A report does not have display names.
        let named = tests.filter { $0.hasPrefix("\"") }.sorted()
        if !named.isEmpty { return "the output names tests only by their display names (\(named.firstFew))" }
        let shared = run.tests.ambiguous.intersection(tests).sorted()
        return shared.isEmpty ? nil : "\(TestOutput.nameLimit) (\(shared.firstFew))"
    }

    /// Looks for a seed with which three more runs fail: a few do not decide alone.
    private func findSeed() throws {
        guard comparison.causes.contains(where: { $0.condition == .taskOrder }) else { return }
        let turn = try badTurns.prefix(5).first { turn in
            try (1...3).allSatisfy { _ in try perform(under: .taskOrder, turn: turn)?.isBad ?? false }
        }
        seed = turn.map { $0 + 1 }
    }

    /// Looks for the tests that make another one fail, if it fails more often with all.
    private func findOtherTests() throws {
        struct Ended: Error {}
        let (command, asIs) = (command, comparison.asIs)
        guard let row = comparison.causes.first(where: { $0.condition == .withAll }),
            row.tally.rate > asIs.tally.rate, let all = row.condition?.arguments(command),
            Condition.isTest(command),
            let (test, tally) = row.tests.filter({ tests.contains($0.key) }).max(by: { $0.value.bad < $1.value.bad })
        else { return }
        // In XCTest, tests run one after another; Swift Testing is a process of its own.
        let isXCTest = !test.hasSuffix(")")
        let before = isXCTest ? order.prefix { $0 != test } : order[...]
        let candidates = before.filter { $0.hasSuffix(")") != isXCTest && !tests.contains($0) }
        search = (test, nil)
        guard !isOver else { return }
        context.log("\(test) fails more often with all; looking among \(candidates.count.of("other"))")
        defer { self.command = command }
        var otherTests = OtherTestSearch(withAll: tally, asIs: asIs.tests[test] ?? Tally()) { [self] others in
            let filters = OtherTests.filters(others)
            // SwiftPM hands XCTest the names in one argument, which would be too long, unless it runs all tests.
            let isAll = filters.count > 2 && others.count == candidates.count
            self.command = isAll ? all : command + filters
            // One run of which nothing is known, as it could not read the package or was out of memory, is repeated.
            for _ in 1...3 where !isOver {
                // With a home of its own, no run finds the files of another.
                do {
                    if let outcome = try perform(under: .freshHome)?.testOutcomes[test] { return outcome != .passed }
                } catch is NoTests {}
            }
            throw Ended()
        }
        do { search?.others = try otherTests.result(among: candidates) } catch is Ended {}
    }

    private func runOnce(in row: ConditionComparison.Row) throws {
        let (began, isFirst) = (seconds, row.turns == 0)
        var (condition, repetition) = (row.condition, Repetition?.none)
        do {
            repetition = try perform(under: condition, turn: row.turns)
            if condition == .withAll {
                order = repetition?.tests.order ?? order
                if let reason = repetition.flatMap(whyNotJudged) {
                    guard comparison.isComparison else { throw Problem("\(reason), so with-all cannot be judged") }
                    comparison.remove(.withAll)
                    return context.log("left out with-all: \(reason)")
                }
                let judged = repetition?.judged(by: tests)
                if comparison.isComparison, judged == nil, let repetition {
                    // If the tests had failed in it, it would count. So the runs that count would show too many failures.
                    if !repetition.isExplained, !tests.isDisjoint(with: repetition.tests.began) {
                        comparison.remove(.withAll)
                        return context.log("left out with-all: in run \(number), something failed that is no test's")
                    }
                    let reason = "does not show how the tests ended by which it is judged; runs like it do not count"
                    if row.turns == row.tally.runs { context.log("run \(number) under with-all \(reason)") }
                }
                repetition = comparison.isComparison ? judged : judged ?? repetition
            }
        } catch let problem as NoTests where comparison.isComparison && (condition != nil || !isFirst) {
            if let left = condition, isFirst || problem.isOfCondition {
                let last = runner.output.split(separator: UInt8(ascii: "\n")).last
                let line = last.map { String(decoding: $0, as: UTF8.self) } ?? problem.description
                let reason = problem.isOfCondition ? ": \(problem)" : ", under which no test ran: \(line)"
                comparison.remove(left)
                context.log("left out \(left.rawValue)\(reason)")
                guard let run = problem.runAsIs else { return }
                (condition, repetition) = (nil, run)
            }
        }
        let time = seconds - began
        if isFirst, comparison.isComparison, times.mayBuild(under: condition) { start += time }
        if condition == nil || !comparison.isComparison { times.add(time, isTooLong: runner.isTooLong) }
        if let repetition { comparison.add(testsOf: repetition, under: condition) }
        comparison.add(repetition?.outcome, under: condition, seconds: time)
        if let repetition { try add(repetition, under: condition) }
        if condition == .taskOrder, repetition?.isBad == true { badTurns.append(row.turns) }
    }

    private func add(_ repetition: Repetition, under condition: Condition?) throws {
        if condition != .withAll { tests.formUnion(repetition.tests.began) }
        onlyListed.formUnion(repetition.tests.onlyListed)
        ambiguous.formUnion(repetition.tests.ambiguous)
        settings.formUnion(repetition.report.run?.allSettings ?? [])
        if let record = RunRecord(repetition.report) { records.append(record) }
        func placed(_ failures: [TestOutput.TestFailure]) -> [TestOutput.TestFailure] {
            failures.map { failure in
                var failure = failure
                // What a test prints without a line break may stand before the path.
                failure.file = failure.file.map { file in
                    let start = file.range(of: "\(package)/")?.lowerBound ?? file.startIndex
                    return file[..<start].contains("/") ? file : FilePath(String(file[start...])).relative(to: package)
                }
                return failure
            }
        }
        failures += placed(repetition.tests.failures + repetition.tests.crashes)
        unmarkedFailures.append((condition, placed(repetition.unmarkedFailures)))
        if condition == .races { races.formUnion(DataRaces.sentences(in: repetition.output, folder: package)) }
        if let test = repetition.tests.crashes.first?.test {
            // Each takes seconds. But only they tell which of several tests has crashed, and in the first runs, a test may crash
            // before any other has begun.
            let isAlone = tests.union(repetition.tests.began) == [test]
            runner.hasBacktrace = !isAlone || failures.count { $0.isCrash && $0.test == test } < 3
        }
        if repetition.isBad { firstBad = firstBad ?? repetition }
        if repetition.isUnexplained(by: judged) {
            unexplained = (unexplained?.first ?? repetition, (unexplained?.count ?? 0) + 1)
        }
        progress.total = comparison.turnsLeft.map { progress.done + 1 + $0 }
        progress.limit = times.total
        let builds = comparison.rows.contains { $0.condition == .races && $0.turns == 0 }
        if let text = progress.add(repetition.outcome, elapsed: seconds, beforeBuild: builds) {
            context.writeError(text)
        }
        try kept?.keep(repetition, of: tests, since: start)
    }

    // MARK: - One run

    /// The last line of a run in which something flaked.
    private static let reportLine = LinePattern("^Retryable: report: (.+)$")

    /// Runs the command and reads what it left; `nil` if it was interrupted. Throws ``NoTests`` if no test began.
    private func perform(under condition: Condition? = nil, turn: Int = 0) throws -> Repetition? {
        guard !isStopped else { return nil }
        let (isComparison, isFirstOfTests) = (comparison.isComparison, comparison.asIs.turns == 0)
        let limit = times.limit(under: condition, isComparison: isComparison, isFirst: isFirstOfTests) ?? .infinity
        let ending = try runner.run(command, under: condition, turn: turn, limit: limit, typical: times.typical)
        let compared = isComparison ? condition : nil
        let under = compared.map { " under \($0.rawValue)" } ?? ""
        let sentence = "run \(number) took longer than \(Durations.text(limit))\(under) and was ended"
        if runner.isTooLong, compared == .withAll {
            throw NoTests(description: "\(sentence), to leave time for the others (--for)", isOfCondition: true)
        }
        let mayBeSlow = compared != nil && runner.wentOn
        if runner.isTooLong, !mayBeSlow { context.log("\(sentence), so it counts as died (--limit)") }
        guard runner.signalNumber == nil else { return nil }
        let tests = TestOutput(runner.output, events: (try? runner.events.read()) ?? [])
        let showsTests = !tests.began.union(tests.ended).isEmpty
        let endedEarly = !showsTests && hasFailed(ending, tests, under: condition)
        let hasTests = showsTests || endedEarly || runner.isTooLong && hasResults
        let report = try report(ending, tests, hasTests: hasTests)
        if number == 1, !hasTests, ending == .exitCode(0) {
            context.log("the output shows no test, so what fails outside of sections is known by the exit code alone")
        }
        let outcome = RepetitionOutcome(ending, report, tests)
        let repetition = Repetition(
            number: number,
            ending: ending,
            outcome: outcome,
            report: report,
            tests: tests,
            output: runner.output,
            // In a strict run, the output has what failed in sections, too.
            unmarkedFailures: outcome == .flaked
                ? [] : tests.unmarkedFailures(report) + tests.crashes
        )
        if mayBeSlow, let compared, repetition.showsOnlyThatItWasEnded {
            let reason = "\(sentence), though its tests went on"
            let isFirst = comparison.rows.contains { $0.condition == compared && $0.tally.runs == 0 }
            if !isFirst { context.log("\(reason), so it does not count (--limit)") }
            throw NoTests(description: "\(reason) (--limit)", isOfCondition: isFirst)
        }
        let missing: String? =
            switch condition {
            case .delays where !tests.began.isEmpty && access(runner.delays.sign, F_OK) != 0:
                "no test process loads the delays: it is in a container, or linked statically"
            case .taskOrder
            where !endedEarly && report.run?.settings[EnvironmentVariable.taskSeed.rawValue] == nil:
                "the report names no seed, as no test that ran is retryable"
            default: nil
            }
        if let missing { throw NoTests(description: missing, isOfCondition: true, runAsIs: repetition) }
        return repetition
    }

    /// Whether a run that shows no test has failed before its first, and not because its condition cannot be had.
    private func hasFailed(_ ending: ProcessEnding, _ tests: TestOutput, under condition: Condition?) -> Bool {
        // What a condition lacks makes no test process crash, unless it builds, or other tests run, too.
        let isOfTests = !comparison.isComparison || condition != .races && condition != .withAll
        if tests.hasFailed, isOfTests { return true }
        let isSignal = if case .signal = ending { true } else { false }
        let isKnownToRun = comparison.rows.contains { $0.condition == condition && $0.tally.runs > 0 }
        guard condition == nil || isSignal && isOfTests ? runs > 0 : isKnownToRun else { return false }
        return isSignal || tests.hasFailed || comparison.isComparison && ending != .exitCode(0)
    }

    private func report(_ ending: ProcessEnding, _ tests: TestOutput, hasTests: Bool) throws -> Report {
        let file = InputFile(name: "of run \(number)", path: runner.report)
        if !file.isMissing {
            var report = try file.report(in: context)
            // All runs share an identity, but a history must not take them for one.
            report.run?.id += "-\(number)"
            return report
        }
        let total = comparison.turnsLeft.map { " of \(runs + $0)" } ?? ""
        let sentence = "run \(number)\(total) left no report and ended with \(ending)"
        do {
            // On a full disk, a run cannot write a report.
            let room = FilePath("\(runner.folder)/room")
            try room.replace(with: Array(repeating: 0, count: 1 << 16), by: "\(runner.folder)/new")
        } catch {
            throw Problem("\(sentence); \(runner.folder) cannot be written: \(error)")
        }
        let names = [EnvironmentVariable.report, .runID].map(\.rawValue).joined(separator: " and ")
        if let place = Self.reportLine.groups(in: String(decoding: runner.output, as: UTF8.self)).first?[0] {
            throw Problem("\(sentence); it wrote \(place): the command has to pass \(names) on to the tests")
        }
        // With --parallel, SwiftPM shows no line of a test that passes, and so none of a report elsewhere.
        if number == 1, !tests.onlyListed.isEmpty, !Condition.isTest(command) {
            context.log("\(sentence): flakes are seen only if the command passes \(names) on to the tests")
        }
        guard hasTests else {
            let tests = "a RetryableTestCase, or a test with .retryable or .flaky, and pass its environment on"
            let advice = runner.isTooLong ? "until then it showed no test" : "the command has to run \(tests)"
            throw NoTests(description: "\(sentence); \(advice)")
        }
        var run = Report.Run(id: "\(runner.identifier)-\(number)", startedAt: context.now())
        run.finishedAt = run.startedAt
        return Report(run: run, marks: [])
    }
}

extension CommandContext {
    /// Writes the last lines of a run's output to standard error.
    func showEnd(of output: [UInt8], lines count: Int) {
        for line in output.split(separator: UInt8(ascii: "\n")).suffix(count) {
            let text = String(decoding: line, as: UTF8.self).escapingControlCharacters(except: ["\t", "\u{1B}"])
            writeError("  \(text.atLineStart)\n")
        }
    }
}
