import Foundation
import Groundwork
import RetryReport

enum NewCommand: Command {
    static let syntax = Syntax(
        name: "new",
        usage: "retries new [OPTION…] -- swift test [OPTION…]",
        summary: "Run the tests that are new or changed many times, as is and under conditions.",
        options: [
            (
                "--since COMMIT",
                "Compare with where this branch left COMMIT (default: what CI merges into, or else the first that exists of\n"
                    + "origin/HEAD, main and origin/main)."
            ),
            ("--for DURATION", "Begin no run after this time (default: 5m)."),
            RunTimes.option,
            NewTestsFormat.option,
        ],
        discussion: """
            The command chooses the tests by itself; build them first:

              swift build --build-tests
              retries new -- swift test --skip-build

            A test is changed if its code is, or the code of what its file has for it: functions, properties and types that it
            names, and setUp, init or the head of its type. Comments, formatting and moving change nothing. What is not
            committed counts, too.
            All run together for three quarters of the time, as is and, in turn, under those of these conditions of
            retries why that the system has: \(conditions.map(\.rawValue).joined(separator: ", ")). Then each runs alone.
            A test is broken if it fails in each run as is, and flaky if it fails in some run. What a mark (flaky) holds
            is no failure, and these settings, which would make it one, are not passed on:
            \(unanswerable.map(\.rawValue).joined(separator: ", ")).
            Ctrl-C, SIGTERM and SIGHUP end the current run; after the results so far, the command ends by that signal, too.
            Exit code 0 if no test failed, all were skipped, or none is new or changed, 1 if one did or a run failed without a
            known cause, 2 if the tests cannot be found, or one did not run, such as for lack of time.
            """,
        endsWithCommand: true
    )

    /// The settings under which no run shows whether a mark holds what fails in it.
    private static let unanswerable: [EnvironmentVariable] = [.mode, .maxFlakes, .failOnFlaky]
    /// The conditions under which most flakes fail.
    private static let conditions: [Condition] = [.delays, .load, .oneCore, .taskOrder]

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let command = try arguments.commandToRun(after: 0)
        let times = try RunTimes(arguments, usual: 300)
        let format: NewTestsFormat = try arguments.choice("--format") ?? .text
        try check(command)
        var context = context
        let repository = GitRepository(context: context.inPackage(of: command))
        let targets = CIVariables(context.environment).targets
        // A clone of GitHub's or GitLab's has no origin/HEAD, and no main on another branch.
        let usual = ["origin/HEAD", "main", "origin/main"]
        // Some services fetch nothing but the commit.
        let names = try arguments.text("--since").map { [$0] } ?? (targets + usual)
        let base = try repository.base(of: names)
        let changed = FileChange.changedTests(in: try repository.changes(since: base))
        var results = try found(changed, since: base, command, in: repository)
        guard !results.tests.isEmpty else {
            try context.write(format.bytes(of: results), to: nil)
            return .fine
        }
        for variable in unanswerable { context.environment[variable.rawValue] = nil }
        let loop = try RepeatLoop(times: times, in: context)
        loop.judged = Set(results.tests.map(\.outputName))
        let late = run(&results, by: loop, command, seconds: times.total ?? 0)
        if let count = loop.unexplained?.count {
            results.notes.append("\(count) of \(loop.runs.of("run")) failed, and no new test is known to be the cause.")
        }
        let isUnclear = results.tests.contains { $0.isBad && $0.failure == nil }
        if let run = loop.unexplained?.first ?? (isUnclear ? loop.firstBad : nil) {
            context.log("run \(run.number) \(run.outcome) (\(run.ending)); it wrote:")
            context.showEnd(of: run.output, lines: 30)
        }
        if results.tests.contains(where: \.hasRun) || !loop.isStopped {
            try context.write(format.bytes(of: results), to: nil)
        }
        try loop.finish()
        if loop.unexplained != nil || results.tests.contains(where: \.isBad) { return .checkFailed }
        if !late.isEmpty { throw Problem("no time was left (--for) to run \(late.count.of("test")): \(late.firstFew)") }
        let silent = results.tests.filter { $0.verdict == .notRun }.map(\.name)
        guard silent.isEmpty else { throw Problem("\(silent.count.of("test")) did not run: \(silent.firstFew)") }
        return .fine
    }

    private static func check(_ command: [String]) throws {
        guard Condition.isTest(command) else {
            throw Problem("new chooses among the tests of swift test, and \(command[0].onOneLine) is something else")
        }
        let options = ["--filter", "--skip", "--specifier", "-s"]
        if let filter = command.first(where: { options.contains(String($0.prefix { $0 != "=" })) }) {
            throw Problem("new chooses the tests by itself: leave \(filter.onOneLine) out")
        }
    }

    // MARK: - The tests

    /// Finds the tests of declarations among those that `swift test list` names.
    private static func found(
        _ changed: [(test: SwiftDeclaration, path: String)],
        since base: GitRepository.Base,
        _ command: [String],
        in repository: GitRepository
    ) throws -> NewTestResults {
        let listed = changed.isEmpty ? [] : try list(command, in: repository.context)
        let types = changed.filter { $0.test.key.kind != .test && $0.test.isTest }.compactMap(\.test.key.path.last)
        let (subclasses, prefix) = (repository.subclasses(of: Set(types)), repository.prefix)
        var (tests, missing, unbuilt) = ([NewTest](), [String](), [String]())
        for (declaration, path) in changed {
            let own = NewTest.all(of: declaration, in: path, after: prefix, listed: listed, subclasses: subclasses)
            for test in own where !tests.contains(where: { $0.filter == test.filter }) { tests.append(test) }
            guard own.isEmpty, declaration.isTest else { continue }
            // A function such as `testConnection()` of a model is no test.
            let isHidden = ["Source/", "Sources/"].contains(where: path.hasPrefix) && declaration.key.kind == .xctest
            if isHidden, repository.text(of: path)?.contains("TestCase") != true { continue }
            let name = (declaration.key.path + [declaration.key.name]).joined(separator: "/")
            missing.append(name)
            if declaration.isListed(beside: listed, in: path) { unbuilt.append(name) }
        }
        guard unbuilt.isEmpty else {
            let others = "though it names other tests of the same suite"
            throw Problem("swift test list does not name \(unbuilt.firstFew), \(others): build the tests first")
        }
        guard !tests.isEmpty || missing.isEmpty else {
            let advice = "build them (\(missing.firstFew)), unless they are of another system or package"
            throw Problem("swift test list names none of the new or changed tests: \(advice)")
        }
        NewTest.tellApart(&tests)
        let (count, names) = (tests.count.of("test"), tests.map(\.name).firstFew)
        let found = "\(count) \(tests.count == 1 ? "is" : "are") new or changed since \(base.text): \(names)"
        let headline = tests.isEmpty ? "No test is new or changed since \(base.text)." : found
        let note = "swift test list does not name \(missing.firstFew), so it did not run."
        return NewTestResults(since: base.text, tests: tests, headline: headline, notes: missing.isEmpty ? [] : [note])
    }

    private static func list(_ command: [String], in context: CommandContext) throws -> [ListedTest] {
        // Those that only `swift test` itself has, some with a value.
        let flags = ["--parallel", "--no-parallel", "--enable-code-coverage", "--disable-code-coverage"]
        let values = ["--num-workers", "--xunit-output", "--event-stream-output-path", "--event-stream-version"]
        let words = Condition.removing(values, from: command).filter { !flags.contains($0) }
        let (output, isFine) = context.run(Condition.inserting(["list"], intoTest: words) ?? words, hasErrors: true)
        guard isFine else {
            context.showEnd(of: output, lines: 20)
            throw Problem("\(words.joined(separator: " ").onOneLine) does not list the tests, with list after test")
        }
        // Those of one name have their places behind it, and run together.
        return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap {
            ListedTest($0.replacingOccurrences(of: #"/[^/]+:\d+:\d+$"#, with: "", options: .regularExpression))
        }
    }

    // MARK: - The runs

    /// - Returns: The tests for which no time was left.
    private static func run(
        _ results: inout NewTestResults,
        by loop: RepeatLoop,
        _ command: [String],
        seconds: Double
    ) -> [String] {
        var late: [String] = []
        let conditions = conditions.filter { $0.arguments(command) != nil }
        let count = results.tests.count
        let comparison = ConditionComparison(of: [nil] + conditions, isTested: false)
        func run(_ group: [Int], under comparison: ConditionComparison, until end: Double, isAlone: Bool) {
            let known = loop.failures.count
            let filter = group.map { results.tests[$0].filter }.joined(separator: "|")
            loop.run(command + ["--filter", filter], comparison, until: end)
            let failures = loop.failures.dropFirst(known)
            for index in group { results.tests[index].add(loop.comparison.rows, failures, isAlone: isAlone) }
        }
        let groups = NewTest.groups(of: results.tests)
        // One in a group of its own has run alone by then.
        let together = groups.filter { $0.count > 1 }.flatMap(\.self)
        for (number, group) in groups.enumerated() {
            let share = (together.isEmpty ? 1 : 3 / 4) * Double(number + 1) / Double(groups.count)
            // A group that comes late has a second more, and so one run, unless all time is over.
            run(group, under: comparison, until: max(seconds * share, loop.seconds + 1), isAlone: false)
            if loop.comparison.asIs.turns == 0 { late += group.map { results.tests[$0].name } }
        }
        for (number, index) in together.enumerated() where !loop.isStopped && results.tests[index].mayRun {
            let end = loop.seconds + (seconds - loop.seconds) / Double(together.count - number)
            run([index], under: ConditionComparison(of: [nil]), until: end, isAlone: true)
            if !results.tests[index].hasRun { loop.goOnWithoutTests() }
        }
        // What made those runs fail may be the cause of any difference.
        let level = loop.unexplained == nil ? 0.03 / Double(max(1, conditions.count) * count) : 0
        for index in results.tests.indices { results.tests[index].judge(level: level, running: command) }
        let listed = results.tests.filter { $0.verdict == .passed && loop.onlyListed.contains($0.outputName) }.map(
            \.name
        )
        if !listed.isEmpty { results.notes.append("\(listed.firstFew) may be skipped: \(TestOutput.listingLimit).") }
        let waiting = together.map { results.tests[$0] }.filter { $0.hasRun && $0.runs[NewTest.alone] == nil }
        if !waiting.isEmpty {
            results.notes.append("No time was left (--for) to run alone: \(waiting.map(\.name).firstFew).")
        }
        return late
    }
}
