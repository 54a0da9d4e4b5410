import Foundation
import Groundwork
import RetryReport

/// `retries report`: shows one or many reports as one.
struct ReportCommand: Command {
    static let syntax = Syntax(
        name: "report",
        usage: "retries report [FILE…] [OPTION…]",
        summary: "Show what was retried, in the shape that fits the reader.",
        options: [
            ReportFormat.option,
            .init(
                name: "--xunit",
                value: "FILE",
                help: "The file that swift test --parallel --xunit-output wrote, and Swift Testing's beside it:\n"
                    + "adds the run's other tests, its totals, and what failed without a mark.\n"
                    + "With --format junit: that file, each test that was retried with its attempts."
            ),
            outputOption,
            ReportInput.maxAge, ReportInput.allowMissing,
        ],
        discussion: ReportInput.help
    )

    let input: ReportInput
    let format: ReportFormat
    let xunit: String?
    let output: String?

    init(_ arguments: Arguments) throws(UsageError) {
        input = try ReportInput(arguments)
        xunit = try arguments.text("--xunit")
        output = try arguments.text("--output")
        format = try ReportFormat(arguments) ?? .text
        guard xunit == nil || format != .json else {
            throw UsageError("--xunit adds tests that a report has no place for: it does not go with --format json")
        }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let report = try ReportReader(context: context, output: output).report(input)
        let file = try xunit.map { try SwiftPMFile(named: $0, in: context) }
        let overview = Overview(report, allTests: try file?.results(), now: context.now())
        let completes = format == .junit && file != nil
        // These have no room for a warning.
        if completes || format == .filter || format == .json, let warning = overview.warning {
            context.say(warning)
        }
        let terminal = output == nil ? context.terminal : Terminal()
        let completed = completes ? try file?.completed(with: overview.report.retries) : nil
        try context.write(try completed ?? format.bytes(of: overview, for: terminal), to: output)
        return .fine
    }
}
