import RetryReport

enum MergeCommand: Command {
    static let syntax = Syntax(
        name: "merge",
        usage: "retries merge FILE… --output FILE [--max-age DURATION]",
        summary: "Merge several reports into one, such as the shards of a build.",
        options: [
            ("--output FILE", "Write the report to this file; - for standard output."),
            ReportInput.maxAgeOption, ReportInput.allowMissingOption,
        ],
        discussion: """
            FILE is a report (retryable-retries.json), a folder (for every report in it), or - (for standard input).
            Every record is kept: a test that flaked in two shards has two records, each with its run.
            The output may be one of the files; it is replaced whole or not at all.
            """
    )

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let input = try ReportInput(arguments)
        guard !input.paths.isEmpty else {
            throw Problem("merge needs the reports to merge (retries merge FILE… --output FILE)")
        }
        guard let output = try arguments.text("--output") else {
            throw Problem("merge needs --output FILE")
        }
        let report = try ReportReader(context: context, output: output).report(input) ?? Report(marks: [])
        try context.write(report.json(), to: output)
        return .fine
    }
}
