import Foundation
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
                help: Format.allCases.map { "\($0.rawValue.padded(to: 10))\($0.purpose)" }.joined(separator: "\n")
            ),
            .init(
                name: "--xunit",
                value: "FILE",
                help: "The file that swift test --xunit-output wrote, and Swift Testing's if it stands beside it:\n"
                    + "the same test cases, times and totals, each test that flaked with its retries.\n"
                    + "For --format junit, which it implies."
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
        format = formats.first ?? (xunit == nil ? .text : .junit)
        guard xunit == nil || format == .junit else {
            throw UsageError("--xunit completes a JUnit file: it goes with --format junit, not \(format.rawValue)")
        }
    }

    func run(in surroundings: Surroundings) throws {
        let report = try ReportReader(surroundings: surroundings, output: output).report(input) ?? Report()
        if let xunit { return try surroundings.write(completed(xunit, with: report, in: surroundings), to: output) }
        let isTerminal = output == nil && surroundings.wantsColor
        try surroundings.write(try format.bytes(of: report, color: isTerminal), to: output)
    }

    private func completed(_ xunit: String, with report: Report, in surroundings: Surroundings) throws -> [UInt8] {
        let input = InputFile(name: xunit, path: surroundings.absolute(xunit))
        var file = XUnitFile(name: xunit, bytes: try input.bytes(in: surroundings))
        // One run of both frameworks has two files; whoever names the one means the run.
        let name = XUnitFile.swiftTestingPath(beside: xunit)
        if FileManager.default.fileExists(atPath: surroundings.absolute(name)) {
            let other = InputFile(name: name, path: surroundings.absolute(name))
            file = file.joined(with: XUnitFile(name: name, bytes: try other.bytes(in: surroundings)))
        }
        let completed = try file.completed(with: report.retries)
        if !completed.missing.isEmpty {
            let names = Limits.list(completed.missing)
            surroundings.say("\(completed.missing.count.of("test")) that flaked \(xunit) does not have: \(names)")
        }
        return completed.bytes
    }
}

extension String {
    /// This text with spaces after it, so that it takes `width` places.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// This text with spaces before it, so that it takes `width` places.
    func indented(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
