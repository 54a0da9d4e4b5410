import Groundwork
import RetryReport

/// `retries check`: fails a build in which too much was retried.
enum CheckCommand: Command {
    static let syntax = Syntax(
        name: "check",
        usage: "retries check [FILE…] [OPTION…]",
        summary: "Fail if more was retried than the limits allow.",
        options: [
            ("--max-flaky N", "At most N tests may flake."),
            ("--max-retries N", "All tests together may be retried at most N times."),
            ("--max-step-retries N", "All steps (autoRetry) together may be retried at most N times."),
            ("--forbid MARKS", "No test with such marks may flake: fixable, not-fixable, or both with a comma."),
            ("--baseline FILE", "Count only tests and steps that are not in this report or folder of reports."),
            (
                "--changed FOLDER",
                "Fail if a mark flakes clearly more often than in the earlier runs whose reports are in FOLDER,\n"
                    + "or if it held a failure unlike any that it held there. Alone, it is the only limit."
            ),
            ("--allow-unfinished", "Pass even if tests wait for a retry or processes did not end."),
            (
                "--stale N",
                "Fail if a mark of the newest run has not flaked in its last N runs: it can go.\n"
                    + "FILE is then a folder with the reports of many runs, and no other limit is allowed."
            ),
            ReportInput.maxAgeOption, ReportInput.allowMissingOption,
        ],
        discussion: """
            \(ReportInput.help)
            A test that flaked counts however it ended: flaky, failed, or pending because its process died.
            Without any limit, no test may flake (--max-flaky 0).
            --changed compares failures without numbers, times, addresses and quoted values. It accepts anything from a mark
            that held fewer than five failures. The branch of most reports in FOLDER counts as the default branch. Only its
            earlier runs make a failure known: a new one on the branch of FILE fails the check until the default branch has it.
            Exit code 1 and a line for each reason if a limit is exceeded or the run did not come to its end; else 0.
            """
    )

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let input = try ReportInput(arguments)
        let baseline = try arguments.text("--baseline")
        let changed = try arguments.text("--changed")
        let allowsUnfinished = arguments.has("--allow-unfinished")
        var limits = try Limits(arguments)
        if let staleAfter = try arguments.count("--stale", from: 1) {
            guard limits == Limits(), baseline == nil, changed == nil, !allowsUnfinished, input.maxAge == nil else {
                throw Problem("--stale is about many runs, all other limits about one: run check twice")
            }
            guard !input.paths.isEmpty else {
                throw Problem("--stale needs the reports of many runs: check --stale N FOLDER")
            }
            return try checkMarks(of: input, staleAfter: staleAfter, in: context)
        }
        if limits == Limits(), changed == nil { limits.flaky = 0 }
        let reader = ReportReader(context: context)
        guard var report = try reader.report(input) else { return .fine }
        var reasons = allowsUnfinished ? [] : report.openEnds
        var approvals: [String] = []
        let known = try baseline.flatMap { path in
            try reader.report(ReportInput(paths: [path], allowsMissing: input.allowsMissing))
        }
        if let changed {
            guard let current = RunRecord(report) else {
                throw Problem("--changed needs a report that counts marks; an older version wrote this one")
            }
            let others = try reader.records(of: ReportInput(paths: [changed], allowsMissing: input.allowsMissing))
            let comparison = RunComparison(of: current, with: others, baseline: known.flatMap(RunRecord.init))
            reasons += comparison.reasons
            approvals.append("no mark changed since \(comparison.earlier.count.of("earlier run"))")
        }
        if let known { report.removeAll(in: known) }
        if limits != Limits() {
            reasons += limits.reasons(against: report, isNew: baseline != nil)
            approvals.append(limits.approval(of: report, isNew: baseline != nil))
        }
        let age = Overview(report, now: context.now()).age.map { "; the run ended \($0)" } ?? ""
        return try context.finish(reasons, approval: approvals.joined(separator: "; ") + age)
    }

    /// Asks for the removal of marks that have not flaked in their last runs.
    private static func checkMarks(of input: ReportInput, staleAfter: Int, in context: CommandContext) throws
        -> ExitCode
    {
        let marks = try ReportReader(context: context).history(of: input, staleAfter: staleAfter).marks
        let reasons = marks.filter { $0.verdict == .notSeen }.map { mark in
            "\(mark.newest.place): \(mark.why): \(mark.newest.reason) (\(mark.newest.markName))"
        }
        let (count, runs) = (marks.count.of("mark"), staleAfter.of("run"))
        return try context.finish(reasons, approval: "none of \(count) has gone \(runs) without a flake")
    }
}

extension CommandContext {
    /// Writes the reasons why a check failed, or the approval if there are none.
    fileprivate func finish(_ reasons: [String], approval: String) throws -> ExitCode {
        let text = (reasons.isEmpty ? [approval] : reasons).map { "retries: \($0.onOneLine)\n" }.joined()
        try write(text)
        return reasons.isEmpty ? .fine : .checkFailed
    }
}

/// The limits that a report must keep.
private struct Limits: Hashable {
    var flaky: Int?
    var retries: Int?
    var stepRetries: Int?
    var forbidden: Set<Kind> = []

    /// The kind of a mark, as written on the command line.
    enum Kind: String, CaseIterable {
        case fixable
        case notFixable = "not-fixable"
    }

    init(_ arguments: Arguments) throws {
        flaky = try arguments.count("--max-flaky")
        retries = try arguments.count("--max-retries")
        stepRetries = try arguments.count("--max-step-retries")
        forbidden = Set(try arguments.choices("--forbid", of: Kind.self))
    }

    init() {}

    /// A line for each limit that `report` exceeds.
    ///
    /// - Parameter isNew: `true` if the tests in a baseline were removed from `report`.
    func reasons(against report: Report, isNew: Bool) -> [String] {
        let tests = report.retries.worstFirst
        var reasons: [String] = []
        if let flaky, tests.count > flaky {
            let names = tests.map(\.fullName).firstFew
            let allowed = flaky == 0 ? "none may be" : "at most \(flaky) may be"
            reasons.append("\(Self.tests(report, isNew)), \(allowed): \(names)")
        }
        if let retries, report.retryCount > retries {
            reasons.append(
                "\(Self.tests(report, isNew)): that took \(Self.retries(report.retryCount, atMost: retries))"
            )
        }
        if let stepRetries, report.stepRetryCount > stepRetries {
            let names = report.worstStepsFirst.map { "\"\($0.action)\" in \($0.fullName)" }.firstFew
            let steps = report.steps.count.of(isNew ? "new step" : "step")
            reasons.append("\(steps) took \(Self.retries(report.stepRetryCount, atMost: stepRetries)): \(names)")
        }
        for test in tests where forbidden.contains(test.fixable ? .fixable : .notFixable) {
            let sentence = "\(test.fullName) \(test.ending); no test marked \(test.markName) may flake"
            let failure = test.mainFailure.map { "; failure: \($0.displayMessage)\($0.atPlace)" } ?? ""
            reasons.append("\(sentence); reason: \(test.reason)\(test.atPlace)\(failure)")
        }
        return reasons
    }

    /// The line for a report within the limits.
    func approval(of report: Report, isNew: Bool) -> String {
        let retries = report.stepRetryCount.of("retry", "retries")
        let steps = stepRetries == nil ? "" : ", \(report.steps.count.of("step")) took \(retries)"
        return "\(Self.tests(report, isNew))\(steps): within the limits"
    }

    /// A text such as `4 tests retried (2 flaky, 1 failed, 1 pending)`.
    private static func tests(_ report: Report, _ isNew: Bool) -> String {
        let test = isNew ? "new test" : "test"
        let count = report.retries.count
        return count == 0 ? "no \(test) retried" : "\(count.of(test)) retried (\(report.retries.endings))"
    }

    private static func retries(_ count: Int, atMost limit: Int) -> String {
        "\(count.of("retry", "retries")), and \(limit == 0 ? "none are" : "at most \(limit) are") allowed"
    }
}

extension Report {
    /// Removes the tests and steps that are in `baseline` as well.
    fileprivate mutating func removeAll(in baseline: Report) {
        let tests = Set(baseline.retries.map { [$0.module, $0.name] })
        let steps = Set(baseline.steps.map { [$0.module, $0.test, $0.action] })
        retries.removeAll { tests.contains([$0.module, $0.name]) }
        self.steps.removeAll { steps.contains([$0.module, $0.test, $0.action]) }
    }

    /// A line for each sign that the run did not come to its end; failures may then be missing.
    fileprivate var openEnds: [String] {
        var reasons: [String] = []
        let pending = retries.filter { $0.outcome == .pending }.map(\.fullName)
        if !pending.isEmpty {
            let tests = pending.count.of("test")
            reasons.append("\(tests) flaked, and the process ended before a retry did: \(pending.firstFew)")
        }
        if let warning = Overview(self).warning { reasons.append(warning) }
        return reasons
    }
}
