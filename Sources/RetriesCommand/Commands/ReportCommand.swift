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
                "--xunit FILE",
                "The file that swift test --parallel --xunit-output wrote, and Swift Testing's beside it:\n"
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

    init(_ arguments: Arguments) throws(Problem) {
        input = try ReportInput(arguments)
        xunit = try arguments.text("--xunit")
        output = try arguments.text("--output")
        format = try ReportFormat(arguments) ?? .text
        guard xunit == nil || format != .json else {
            throw Problem("--xunit adds tests that a report has no place for: it does not go with --format json")
        }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let report = try ReportReader(context: context, output: output).report(input)
        let allTests = try xunit.map { try SwiftPMResults(named: $0, in: context) }
        let overview = Overview(report, allTests: allTests, now: context.now())
        // These have no room for a warning.
        if format == .filter || format == .json || (format == .junit && xunit != nil), let warning = overview.warning {
            context.say(warning)
        }
        let terminal = output == nil ? context.terminal : Terminal()
        try context.write(try format.bytes(of: overview, for: terminal), to: output)
        return .fine
    }
}
