enum ReportCommand: Command {
    static let syntax = Syntax(
        name: "report",
        usage: "retries report [FILE…] [OPTION…]",
        summary: "Show what was retried: as text, as a web page, on CI, or for other tools.",
        options: [
            ReportFormat.option,
            (
                "--xunit FILE",
                "Add the run's other tests, the totals, and the failures outside of sections, from the file that\n"
                    + "swift test --parallel --xunit-output wrote, and from Swift Testing's beside it.\n"
                    + "With --format junit: write that file again, with the attempts of each test that was retried."
            ),
            Ownership.option,
            ReportFormat.outputOption,
            ReportInput.maxAgeOption, ReportInput.allowMissingOption,
        ],
        discussion: ReportInput.help
    )

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        let input = try ReportInput(arguments)
        let xunit = try arguments.text("--xunit")
        let output = try arguments.text("--output")
        let format: ReportFormat = try arguments.choice("--format") ?? .text
        guard xunit == nil || format != .json else {
            throw Problem("--xunit adds tests that a JSON report cannot hold: leave it out with --format json")
        }
        guard xunit == nil || !arguments.has("--owner") else {
            throw Problem("--xunit adds tests whose owners are not known: leave it out with --owner")
        }
        let ownership = try Ownership(arguments, in: context)
        let reader = ReportReader(context: context, output: output, skipsUnreadable: true, ownership: ownership)
        let report = try reader.report(input)
        let allTests = try xunit.map { try SwiftPMResults(contentsOf: $0, in: context) }
        // Without Swift Testing's tests, the JUnit file would look complete.
        if format == .junit, let problem = allTests?.problem { throw Problem(problem) }
        let overview = Overview(
            report,
            allTests: allTests,
            now: context.now(),
            timeZone: context.timeZone,
            root: context.repositoryFolder,
            package: context.otherPackage(of: input.paths)
        )
        // These formats have no place for a warning.
        if format == .filter || format == .json || (format == .junit && xunit != nil), let warning = overview.warning {
            context.log(warning)
        }
        try context.write(try format.bytes(of: overview, hasColor: context.hasColor(in: output)), to: output)
        return .fine
    }
}
