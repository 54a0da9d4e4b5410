import Groundwork
import RetryReport

/// `retries check`: gates a build.
struct CheckCommand: Command {
    static let syntax = Syntax(
        name: "check",
        usage: "retries check [FILE…] [OPTION…]",
        summary: "Fail if more was retried than the limits allow.",
        options: [
            .init("--max-flaky N", "At most N tests may flake."),
            .init("--max-retries N", "All tests together may be retried at most N times."),
            .init("--max-step-retries N", "All steps (autoRetry) together, at most N times."),
            .init("--forbid MARK", "No test marked so may flake: fixable or not-fixable.", isRepeatable: true),
            .init("--baseline FILE", "A report or folder of reports: only tests and steps that are not in it count."),
            .init(
                "--allow-unfinished",
                "Do not fail on tests still to be run again, nor on processes that did not end."
            ),
            .init(
                "--stale N",
                "No mark may have run in N runs since it last flaked, if it ever did: such a mark can go.\n"
                    + "FILE is then a folder with the reports of many runs, and this the only limit."
            ),
            ReportInput.maxAge, ReportInput.allowMissing,
        ],
        discussion: """
            \(ReportInput.help)
            A test that flaked counts however it ended: flaky, failed, or pending because its process died.
            Without any limit, no test may flake (--max-flaky 0).
            Exit code 1 and a line for each reason if a limit is exceeded or the run did not come to its end; else 0.
            """
    )

    let input: ReportInput
    let limits: Limits
    let baseline: String?
    let allowsUnfinished: Bool
    let stale: Int?

    init(_ arguments: Arguments) throws(Problem) {
        input = try ReportInput(arguments)
        baseline = try arguments.text("--baseline")
        allowsUnfinished = arguments.has("--allow-unfinished")
        var limits = Limits()
        limits.flaky = try arguments.count("--max-flaky")
        limits.retries = try arguments.count("--max-retries")
        limits.stepRetries = try arguments.count("--max-step-retries")
        limits.forbidden = Set(try arguments.words("--forbid", of: Limits.Kind.self))
        stale = try arguments.count("--stale", from: 1)
        if stale != nil {
            guard limits == Limits(), baseline == nil, !allowsUnfinished, input.maxAge == nil else {
                throw Problem("--stale looks at many runs, all other limits at one: check twice")
            }
            guard !input.names.isEmpty else {
                throw Problem("--stale needs the reports of many runs: check --stale N FOLDER")
            }
        }
        if limits == Limits() { limits.flaky = 0 }
        self.limits = limits
    }

    func run(in context: CommandContext) throws -> ExitCode {
        if let stale { return try checkMarks(in: context, runs: stale) }
        let reader = ReportReader(context: context)
        guard var report = try reader.report(input) else { return .fine }
        let unfinished = allowsUnfinished ? [] : Unfinished.reasons(in: report)
        if let baseline {
            report = Baseline(try reader.report(ReportInput(names: [baseline])) ?? Report()).whatIsNew(in: report)
        }
        let reasons = unfinished + limits.reasons(against: report, isNew: baseline != nil)
        let ago = Overview(report, now: context.now()).ago.map { "; the run ended \($0)" } ?? ""
        return try context.conclude(reasons, orElse: limits.approval(of: report, isNew: baseline != nil) + ago)
    }
}

extension CheckCommand {
    /// Asks for the removal of marks that have run in so many runs since they last flaked.
    private func checkMarks(in context: CommandContext, runs: Int) throws -> ExitCode {
        do {
            let history = try ReportReader(context: context).history(of: input.names, enough: runs)
            // One that the newest run does not have any more was taken away, perhaps because of such a line.
            let stale = history.marks.filter { $0.isInNewestRun && $0.verdict == .notSeen }
            let reasons = stale.map { mark in
                let place = mark.place.map { "\($0): " } ?? ""
                return "\(place)\(mark.why): \(mark.newest.reason) (\(mark.newest.markName))"
            }
            let marks = history.marks.count.of("mark")
            return try context.conclude(
                reasons,
                orElse: "none of \(marks) has run in \(runs.of("run")) since it last flaked"
            )
        } catch let missing as MissingReport where input.allowsMissing {
            context.say("\(missing.cause): no mark is stale, as --allow-missing allows")
            return .fine
        }
    }
}

extension CommandContext {
    /// Says why a check failed, or that it did not.
    func conclude(_ reasons: [String], orElse approval: String) throws -> ExitCode {
        let text = (reasons.isEmpty ? [approval] : reasons).map { "retries: \($0.onOneLine)\n" }.joined()
        try write(text)
        return reasons.isEmpty ? .fine : .checkFailed
    }
}

/// How much may be retried.
struct Limits: Hashable {
    var flaky: Int?
    var retries: Int?
    var stepRetries: Int?
    var forbidden: Set<Kind> = []

    /// Of which kind a mark is, as the command line has it.
    enum Kind: String, CaseIterable {
        case fixable
        case notFixable = "not-fixable"
    }

    /// Why `report` is more than is allowed, a line for each reason; none if it is not.
    ///
    /// - Parameter isNew: Whether `report` is only what a baseline does not know.
    func reasons(against report: Report, isNew: Bool = false) -> [String] {
        let totals = ReportTotals(report)
        let retries = report.worstFirst
        var reasons: [String] = []
        if let flaky, totals.retried > flaky {
            let names = retries.map(\.fullName).firstFew
            reasons.append("\(Self.tests(totals, isNew)), \(Self.allowed(flaky)): \(names)")
        }
        if let limit = self.retries, totals.retries > limit {
            let count = totals.retries.of("retry", "retries")
            reasons.append("\(Self.tests(totals, isNew)): that took \(count), and \(Self.atMost(limit))")
        }
        if let stepRetries, totals.stepRetries > stepRetries {
            let count = totals.stepRetries.of("retry", "retries")
            let names = report.worstStepsFirst.map { "\"\($0.action)\" in \($0.fullName)" }.firstFew
            let steps = totals.steps.of(isNew ? "new step" : "step")
            reasons.append("\(steps) took \(count), and \(Self.atMost(stepRetries)): \(names)")
        }
        for retry in retries where forbidden.contains(retry.fixable ? .fixable : .notFixable) {
            let test = "\(retry.fullName) \(retry.ending), and none marked \(retry.markName) may"
            reasons.append("\(test): \(retry.reason)\(retry.atPlace)")
        }
        return reasons
    }

    /// What to say if nothing is too much.
    func approval(of report: Report, isNew: Bool) -> String {
        let totals = ReportTotals(report)
        let count = totals.stepRetries.of("retry", "retries")
        let steps = stepRetries == nil ? "" : ", \(totals.steps.of("step")) took \(count)"
        return "\(Self.tests(totals, isNew))\(steps): within the limits"
    }

    /// Such as `4 tests retried (2 flaky, 1 failed, 1 pending)`.
    private static func tests(_ totals: ReportTotals, _ isNew: Bool) -> String {
        let test = isNew ? "new test" : "test"
        return totals.retried == 0 ? "no \(test) retried" : "\(totals.retried.of(test)) retried (\(totals.endings))"
    }

    private static func allowed(_ limit: Int) -> String {
        limit == 0 ? "none may be" : "at most \(limit) may be"
    }

    private static func atMost(_ limit: Int) -> String {
        limit == 0 ? "none are allowed" : "at most \(limit) are allowed"
    }
}

/// What was known to flake before.
struct Baseline {
    /// Tests, each by its module and name; and steps, by their test and action.
    private let known: Set<[String?]>

    init(_ report: Report) {
        known = Set(
            report.retries.map { [$0.module, $0.name] } + report.steps.map { [$0.module, $0.test, $0.action] }
        )
    }

    /// The part of `report` that this baseline does not know.
    func whatIsNew(in report: Report) -> Report {
        var report = report
        // A test of version 0.6.0 has no module: its name is all that it is known by.
        report.retries.removeAll { known.contains([$0.module, $0.name]) || known.contains([nil, $0.name]) }
        report.steps.removeAll { known.contains([$0.module, $0.test, $0.action]) }
        return report
    }
}

/// What a run has left open. It may hide failures, so a gate does not let it pass.
enum Unfinished {
    /// A line for each thing that `report` leaves open; none if the run came to its end.
    static func reasons(in report: Report) -> [String] {
        var reasons: [String] = []
        let pending = report.retries.filter { $0.outcome == .pending }.map(\.fullName)
        if !pending.isEmpty {
            let tests = "\(pending.count.of("test")) flaked and \(pending.count == 1 ? "was" : "were") not run again"
            reasons.append("\(tests), because the process ended before: \(pending.firstFew)")
        }
        if let warning = Overview(report).warning { reasons.append(warning) }
        return reasons
    }
}
