import Foundation
import Groundwork
import RetryReport

/// `retries report`: shows one or many reports as one.
struct ReportCommand {
    static let syntax = Syntax(
        name: "report",
        usage: "retries report [FILE…] [OPTION…]",
        summary: "Show what was retried, in the shape that fits the reader.",
        options: [
            .init(
                name: "--format",
                value: "FORMAT",
                help: Format.help
            ),
            .init(
                name: "--xunit",
                value: "FILE",
                help: "The file that swift test --parallel --xunit-output wrote, and Swift Testing's beside it:\n"
                    + "adds the run's other tests, its totals, and what failed without a mark.\n"
                    + "With --format junit: that file, each test that was retried with its attempts."
            ),
            .init(name: "--output", value: "FILE", help: "Where it goes, whole or not at all; else standard output."),
            ReportInput.maxAge, ReportInput.allowMissing,
        ],
        discussion: ReportInput.help
    )

    let input: ReportInput
    let format: Format
    let xunit: String?
    let output: String?

    init(_ arguments: Arguments) throws(UsageError) {
        input = try ReportInput(arguments)
        xunit = try arguments.text("--xunit")
        output = try arguments.text("--output")
        let formats = try arguments.words("--format", of: Format.self)
        guard formats.count < 2 else { throw UsageError("--format is one format, not \(formats.count)") }
        format = formats.first ?? .text
        guard xunit == nil || format != .json else {
            throw UsageError("--xunit adds tests that a report has no place for: it does not go with --format json")
        }
    }

    func run(in surroundings: Surroundings) throws {
        let report = try ReportReader(surroundings: surroundings, output: output).report(input)
        let file = try xunit.map { try XUnitFile(named: $0, in: surroundings) }
        let overview = Overview(report, wholeRun: try file?.wholeRun(), now: surroundings.now())
        let completes = format == .junit && file != nil
        // These have no room for a warning.
        if completes || format == .filter || format == .json, let warning = overview.warning {
            surroundings.say(warning)
        }
        let terminal = output == nil ? surroundings.terminal : Terminal()
        let completed = completes ? try file?.completed(with: overview.report.retries) : nil
        try surroundings.write(try completed ?? format.bytes(of: overview, for: terminal), to: output)
    }
}
