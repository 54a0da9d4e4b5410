import Foundation
import Groundwork
import RetryReport

enum BriefCommand: Command {
    static let syntax = Syntax(
        name: "brief",
        usage: "retries brief TEST [FILE…] [OPTION…]",
        summary: "Write down what is known of one flaky test, for whoever mends it.",
        options: [
            ("--why FILE", "Add what retries why --format json wrote to this file."),
            ReportFormat.outputOption,
        ],
        discussion: """
            TEST is a name, such as "-[LoginTests testSignsIn]", or a part of it that no other test in the reports has.
            FILE is as for retries report. With those of many runs, the brief says how often the test flakes, and since when.

            The brief is Markdown: the test, its mark with its owner and its history, its failures, its source as it stands
            here, what retries why found, and the commands that make it fail and that show whether a change mends it.
            """
    )

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode {
        var input = try ReportInput(arguments)
        guard !input.paths.isEmpty else { throw Problem("brief needs the name of a test (\(syntax.usage))") }
        let name = input.paths.removeFirst()
        let output = try arguments.text("--output")
        let findings = try arguments.text("--why").map { try WhyFindings(contentsOf: context.input($0), in: context) }
        let ownership = try Ownership(arguments, in: context)
        let reader = ReportReader(context: context, output: output, skipsUnreadable: true, ownership: ownership)
        var reports: [Report] = []
        do {
            try reader.read(input) { file, report in reports.append(reader.owned(reader.withOrigin(report, of: file))) }
        } catch let missing as MissingReport {
            throw Problem("\(missing.cause), and so nothing for a brief")
        }
        func start(_ report: Report) -> Date { report.run?.startedAt ?? .distantPast }
        reports.sort { start($0) < start($1) }
        let test = try fullName(of: name, in: reports.flatMap(\.tests))
        let records = reports.flatMap(\.tests).filter { $0.fullName == test }
        if let file = try arguments.text("--why"), findings?.lacks(records[0]) == true {
            throw Problem("\(file) is of other tests: run why --format json for \(test)")
        }
        let brief = Brief(
            records: records,
            history: History(reports.compactMap(RunRecord.init), today: context.today),
            overview: Overview(
                reports.last { $0.tests.contains { $0.fullName == test } },
                root: context.repositoryFolder,
                package: context.otherPackage(of: input.paths)
            ),
            findings: findings
        )
        try context.write(Array(brief.text.utf8), to: output)
        return .fine
    }

    /// The full name of the one test that is called so or, if there is none, of the one with this in its name.
    private static func fullName(of name: String, in tests: [TestRecord]) throws -> String {
        func names(_ test: TestRecord) -> [String] {
            let names = [test.junitName, JUnitName(test.name, module: nil)]
            return [test.fullName, test.name] + names.map { "\($0.suite)/\($0.name)" }
        }
        let exact = tests.filter { names($0).contains(name) }
        let found = exact.isEmpty ? tests.filter { names($0).contains { $0.contains(name) } } : exact
        let all = Set(found.map(\.fullName)).sorted()
        guard all.count < 2 else { throw Problem("\(name) is in the names of \(all.count) tests: \(all.firstFew)") }
        if let first = all.first { return first }
        let suggestion = name.suggestion(from: Set(tests.flatMap(names)).sorted())
        throw Problem("no test that flaked is called \(name)\(suggestion) (retries report shows all)")
    }
}
