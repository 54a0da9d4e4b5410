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
