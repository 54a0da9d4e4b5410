import Groundwork

/// `retries check --stale N`: asks for the removal of marks that are no longer needed.
struct StaleMarks {
    private let input: ReportInput
    private let runs: Int

    init(_ input: ReportInput, runs: Int) {
        self.input = input
        self.runs = runs
    }

    func check(in context: CommandContext) throws -> ExitCode {
        do {
            let history = try ReportReader(context: context).history(of: input.names, enough: runs)
            return try context.conclude(reasons(in: history), orElse: approval(of: history))
        } catch let missing as MissingReport where input.allowsMissing {
            context.say("\(missing.cause): no mark is stale, as --allow-missing allows")
            return .fine
        }
    }

    /// A line for each mark that can go. One that the newest run does not have any more was taken away, perhaps because of
    /// such a line.
    private func reasons(in history: History) -> [String] {
        history.marks.filter { $0.isInNewestRun && $0.verdict == .notSeen }.map { mark in
            let place = mark.place.map { "\($0): " } ?? ""
            return "\(place)\(mark.reason(enough: runs)): \(mark.newest.reason) (\(mark.newest.markName))"
        }
    }

    private func approval(of history: History) -> String {
        "none of \(history.marks.count.of("mark")) has run in \(runs.of("run")) since it last flaked"
    }
}
