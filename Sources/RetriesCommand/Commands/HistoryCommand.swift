enum HistoryCommand: Command {
    static let syntax = Syntax(
        name: "history",
        usage: "retries history PATH… [OPTION…]",
        summary: "Show, from the reports of many runs, how often each mark flakes, since when, and which can go.",
        options: [
            HistoryFormat.option,
            ("--stale N", "A mark can go after N runs without a flake (default: \(MarkVerdict.staleAfter))."),
            Ownership.option,
            HistoryFormat.outputOption,
            ReportInput.allowMissingOption,
        ],
        discussion: """
            PATH is a report (retryable-retries.json) or a folder, for every report in it: one report for each run,
            as CI keeps them. Two reports of one run (the same RETRYABLE_RUN_ID, or the same commit and a shard in both)
            count as one.

            A mark is recognized by its file and its reason, even if its line has changed.
            Its verdict is one of these:

              broken    more than half of its attempts fail: a defect, not a flake
              needed    it flakes
              can go    it has not flaked in its last N runs (--stale N)
              new       it has not flaked, but the runs are too few to say more
              removed   the newest run did not enter it

            A mark whose date (until:) is over is overdue, and comes first.

            A mark's rate is the share of runs in which it flaked, of all runs that entered it, with Wilson's 95 % interval.

            Marks that flake in the same runs are shown as a group: they probably have one cause. If a mark's rate has changed
            by more than chance explains, you see the first commit after the change, and the command that lists the commits to
            look at.
            """
    )

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let input = try ReportInput(arguments)
        guard !input.paths.isEmpty else {
            throw Problem("history needs the reports of many runs (\(syntax.usage))")
        }
        let format: HistoryFormat = try arguments.choice("--format") ?? .text
        let staleAfter = try arguments.count("--stale", from: 1) ?? MarkVerdict.staleAfter
        let output = try arguments.text("--output")
        let ownership = try Ownership(arguments, in: context)
        let reader = ReportReader(context: context, output: output, skipsUnreadable: true, ownership: ownership)
        let history = History(try reader.records(of: input), staleAfter: staleAfter, today: context.today)
        try context.write(try format.bytes(of: history, hasColor: context.hasColor(in: output)), to: output)
        return .fine
    }
}
