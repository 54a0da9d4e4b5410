import Groundwork
import RetryReport

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
            (
                "--baseline FILE",
                "Count only tests and steps that are not in this report or folder of reports. Of a folder, all branches\n"
                    + "count, and the reports of the run that is checked do not."
            ),
            (
                "--changed FOLDER",
                "Fail if a mark flakes clearly more often than in the earlier runs whose reports are in FOLDER,\n"
                    + "or if it held a failure unlike any that it held there. Alone, it is the only limit."
            ),
            (
                "--overdue",
                "Fail if a mark that ran is overdue: the day that its until: names is over. Alone, it is the only limit."
            ),
            ("--allow-unfinished", "Pass even if tests wait for a retry or processes did not end."),
            (
                "--stale N",
                "Fail if a mark of the newest run has not flaked in its last N runs: it can go.\n"
                    + "FILE is then a folder with the reports of many runs, and no other limit is allowed."
            ),
            Ownership.option,
            ReportInput.maxAgeOption, ReportInput.allowMissingOption,
        ],
        discussion: """
            \(ReportInput.help)
            With --owner, only their tests, steps and marks count, and a process that did not end, whose tests nobody knows.
            A test that flaked counts however it ended: flaky, failed, or pending because its process died.
            Without any limit, no test may flake (--max-flaky 0).
            --changed compares the words of failures without numbers, times, addresses and quoted values. Of an NSError's
            UserInfo, only the description counts. It accepts anything from a mark that held fewer than five failures, and so
            everything if FOLDER is missing or empty. A failure is known if an earlier run had one like it: on the default
            branch, on the one that a pull request is for, or on this one if it is protected. The service's variables say so;
            where none names the default branch, it is that of most reports in FOLDER, and not the pull request's. A new
            failure fails the check until a run on one of these branches has it.
            Exit code 1 and a line for each reason if a limit is exceeded or the run did not come to its end; else 0.
            """
    )

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let limits = try Limits(arguments)
        let ownership = try Ownership(arguments, in: context)
        let reader = ReportReader(context: context, skipsUnreadable: limits.staleAfter != nil, ownership: ownership)
        let result = try limits.staleAfter.map { try checkMarks(limits, staleAfter: $0, with: reader) }
        guard let (reasons, approval) = try result ?? checkRun(limits, with: reader) else { return .fine }
        let lines = reasons.isEmpty ? [approval] : reasons
        try context.write(lines.map { "retries: \($0.onOneLine)\n" }.joined())
        return reasons.isEmpty ? .fine : .checkFailed
    }

    /// The reasons to fail, and the sentence to show if there are none.
    private typealias Findings = (reasons: [String], approval: String)

    /// Checks one run; `nil` if there is no report, and none is needed.
    private static func checkRun(_ limits: Limits, with reader: ReportReader) throws -> Findings? {
        guard let report = try reader.report(limits.input) else { return nil }
        let context = reader.context
        if report.isOfNoRun, limits.input.allowsMissing {
            context.log("the report was merged from no report, which --allow-missing allows")
            return nil
        }
        func uncounted(_ option: String) -> Problem {
            Problem("\(option) needs a report that counts marks; an older version wrote this one")
        }
        var reasons = limits.allowsUnfinished ? [] : report.openEnds
        var approvals: [String] = []
        let known = try limits.baseline.flatMap { try reader.report(limits.input(at: $0), without: report) }
        if let changed = limits.changed {
            guard let current = RunRecord(report) else {
                let none = Problem("--changed needs a report of a run; this one was merged from no report")
                throw report.isOfNoRun ? none : uncounted("--changed")
            }
            let earlier = ReportReader(context: context, skipsUnreadable: true, ownership: reader.ownership)
            var others: [RunRecord] = []
            do {
                others = try earlier.records(of: ReportInput(paths: [changed]), in: report.run?.origin.folder)
            } catch is MissingReport {
                // As before the first run, or when a cache is gone.
                context.log("\(changed) holds no report, and so no earlier run")
            }
            let comparison = RunComparison(
                of: current,
                with: others,
                baseline: known.flatMap(RunRecord.init),
                on: CIVariables(context.environment)
            )
            if comparison.earlier.isEmpty, others.contains(where: { $0.run.startedAt > current.run.startedAt }) {
                throw Problem("\(changed) has later runs than this one, and no earlier one: is the clock of one wrong?")
            }
            reasons += comparison.reasons
            approvals.append(comparison.approval)
        }
        if limits.overdue {
            guard report.marks != nil else { throw uncounted("--overdue") }
            reasons += report.overdue(on: context.today)
            approvals.append("no mark is overdue")
        }
        let new = known.map(report.removing) ?? report
        if limits.areOfReport {
            reasons += limits.reasons(against: new)
            approvals.append(limits.approval(of: new))
        }
        let age = new.age(at: context.now()).map { "; the run ended \($0)" } ?? ""
        return (reasons, approvals.joined(separator: "; ") + age)
    }

    /// Checks that each mark has flaked in its last runs; one that has not can be removed.
    private static func checkMarks(_ limits: Limits, staleAfter: Int, with reader: ReportReader) throws -> Findings {
        let records = try reader.records(of: limits.input)
        let marks = History(records, staleAfter: staleAfter).marks
        let reasons = marks.filter { $0.verdict == .notSeen }.map { mark in
            "\(mark.newest.place): \(mark.why): \(mark.newest.mark.reason) (\(mark.newest.mark.kind))"
        }
        let others = marks.count { $0.verdict == .removed }
        let verb = others == 1 ? "was" : "were"
        let remark = others == 0 ? "" : "; \(others.of("mark")) of earlier runs \(verb) not in it"
        let judged = "\((marks.count - others).of("mark")) of the newest run"
        return (reasons, "none of \(judged) has gone \(staleAfter.of("run")) without a flake\(remark)")
    }
}

/// The limits of a check, and the reports that it reads.
private struct Limits {
    let input: ReportInput
    let baseline, changed: String?
    let overdue, allowsUnfinished: Bool
    let staleAfter: Int?
    private(set) var flaky: Int?
    let retries, stepRetries: Int?
    let forbidden: Set<Kind>

    enum Kind: String, CaseIterable {
        case fixable
        case notFixable = "not-fixable"
    }

    init(_ arguments: Arguments) throws {
        input = try ReportInput(arguments)
        baseline = try arguments.text("--baseline")
        changed = try arguments.text("--changed")
        overdue = arguments.has("--overdue")
        allowsUnfinished = arguments.has("--allow-unfinished")
        flaky = try arguments.count("--max-flaky")
        retries = try arguments.count("--max-retries")
        stepRetries = try arguments.count("--max-step-retries")
        forbidden = Set(try arguments.choices("--forbid"))
        staleAfter = try arguments.count("--stale", from: 1)
        let isOfOneRun = areOfReport || changed != nil || overdue
        if !isOfOneRun { flaky = 0 }
        guard staleAfter != nil else { return }
        guard !isOfOneRun, baseline == nil, !allowsUnfinished, input.maxAge == nil else {
            throw Problem("--stale is about many runs, all other limits about one: run check twice")
        }
        guard !input.paths.isEmpty else {
            throw Problem("--stale needs the reports of many runs: check --stale N FOLDER")
        }
    }

    /// Whether any limit is one that ``reasons(against:)`` compares with a report.
    var areOfReport: Bool { (flaky ?? retries ?? stepRetries) != nil || !forbidden.isEmpty }

    func input(at path: String) -> ReportInput {
        ReportInput(paths: [path], allowsMissing: input.allowsMissing)
    }

    /// A line for each limit that `report` exceeds; without the tests and steps of the baseline, if there is one.
    func reasons(against report: Report) -> [String] {
        let tests = report.tests.worstFirst
        var reasons: [String] = []
        if let flaky, tests.count > flaky {
            let names = tests.map(\.fullName).firstFew
            let allowed = flaky == 0 ? "none may be" : "at most \(flaky) may be"
            reasons.append("\(self.tests(in: report)), \(allowed): \(names)")
        }
        if let retries, report.retryCount > retries {
            reasons.append("\(self.tests(in: report)): that took \(Self.retries(report.retryCount, atMost: retries))")
        }
        if let stepRetries, report.stepRetryCount > stepRetries {
            let names = report.worstStepsFirst.map { "\"\($0.action)\" in \($0.fullName)" }.firstFew
            let steps = report.steps.count.of(baseline == nil ? "step" : "new step")
            reasons.append("\(steps) took \(Self.retries(report.stepRetryCount, atMost: stepRetries)): \(names)")
        }
        func isForbidden(_ mark: Flakiness) -> Bool { forbidden.contains(mark.isFixable ? .fixable : .notFixable) }
        for test in tests where isForbidden(test.mark) {
            let sentence = "\(test.fullName) \(test.ending); no test marked \(test.mark.kind) may flake"
            let failure = test.mainFailure.map { "; failure: \($0.displayMessage)\($0.atPlace)" } ?? ""
            reasons.append("\(sentence); reason: \(test.mark.reason)\(test.atPlace)\(failure)")
        }
        // A record names one section, and others may have flaked in its test.
        for count in report.marks ?? [] where count.flakes > 0 && isForbidden(count.mark) {
            func isThere(_ test: TestRecord) -> Bool { test.file == count.file && test.line == count.line }
            guard !tests.contains(where: { isThere($0) && isForbidden($0.mark) }) else { continue }
            let what = "a section that is \(count.mark.kind) flaked in \(count.flakes.of("attempt")), and none may"
            reasons.append("\(what); reason: \(count.mark.reason), at \(count.file):\(count.line)")
        }
        return reasons
    }

    func approval(of report: Report) -> String {
        let retries = report.stepRetryCount.of("retry", "retries")
        let steps = stepRetries == nil ? "" : ", \(report.steps.count.of("step")) took \(retries)"
        return "\(tests(in: report))\(steps): within the limits"
    }

    /// A text such as `4 tests retried (2 flaky, 1 failed, 1 pending)`.
    private func tests(in report: Report) -> String {
        let test = baseline == nil ? "test" : "new test"
        let count = report.tests.count
        return count == 0 ? "no \(test) retried" : "\(count.of(test)) retried (\(report.tests.endings))"
    }

    private static func retries(_ count: Int, atMost limit: Int) -> String {
        "\(count.of("retry", "retries")), and \(limit == 0 ? "none are" : "at most \(limit) are") allowed"
    }
}

extension Report {
    fileprivate func removing(_ baseline: Report) -> Report {
        let tests = Set(baseline.tests.map { [$0.module, $0.name] })
        let steps = Set(baseline.steps.map { [$0.module, $0.test, $0.action] })
        let (origin, here) = (baseline.run?.origin ?? .unknown, run?.origin ?? .unknown)
        let flaked = (baseline.marks ?? []).filter { $0.flakes > 0 }.map { [origin.rooted($0.file), $0.mark.reason] }
        let marks = Set(flaked + baseline.tests.map { [origin.rooted($0.file ?? ""), $0.mark.reason] })
        var report = self
        report.marks?.removeAll { marks.contains([here.rooted($0.file), $0.mark.reason]) }
        report.tests.removeAll { tests.contains([$0.module, $0.name]) }
        report.steps.removeAll { steps.contains([$0.module, $0.test, $0.action]) }
        return report
    }

    /// A line for each mark that ran and is overdue, the longest first.
    fileprivate func overdue(on today: Day) -> [String] {
        var all: MarkCounts = [:]
        // A process that died has not written its counts.
        all.add(tests.map { MarkCount($0.mark, file: $0.file ?? "", line: $0.line ?? 0, module: $0.module) })
        all.add(marks ?? [])
        let overdue = all.sorted.compactMap { mark in mark.mark.daysOverdue(on: today).map { (mark: mark, days: $0) } }
        return overdue.sorted { $0.days > $1.days }.map { mark, _ in
            "\(mark.place): \(mark.mark.reason) (\(mark.mark.kind(on: today)); until: \(mark.mark.until ?? ""))"
        }
    }

    /// A line for each sign that the run did not come to its end; failures may then be missing.
    fileprivate var openEnds: [String] {
        let pending = tests.filter { $0.outcome == .pending }.map(\.fullName)
        let ending = "flaked, and the process ended before a retry did: \(pending.firstFew)"
        let sentence = pending.isEmpty ? nil : "\(pending.count.of("test")) \(ending)"
        return [sentence, Overview(self).warning].compactMap(\.self)
    }
}
