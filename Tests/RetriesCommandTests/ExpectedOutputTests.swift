import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

/// Compares whole outputs with stored ones; `RETRIES_RECORD=1 swift test --filter ExpectedOutputTests` stores them anew.
@Suite("Every format, as it is stored")
struct ExpectedOutputTests {
    private static let isRecording = ProcessInfo.processInfo.environment["RETRIES_RECORD"] == "1"
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Expected")

    private static let endings: [ReportFormat: String] = [
        .text: "txt", .markdown: "md", .junit: "junit.xml", .github: "github.txt", .slack: "slack.json",
        .filter: "filter.txt",
    ]

    @Test("a report in each format is as the expected output has it", arguments: ReportFormat.allCases)
    func formats(format: ReportFormat) throws {
        for (name, report) in Sample.named {
            let bytes = try format.bytes(of: report.overview)
            #expect(try bytes == format.bytes(of: report.overview))
            try Self.compare(bytes, with: "\(name).\(Self.endings[format] ?? format.rawValue)")
        }
    }

    @Test("the help is as the expected output has it")
    func help() throws {
        let run = try CommandRun()
        for command in ["retries", "report", "merge", "check", "history", "repeat", "why", "new", "brief"] {
            let outcome = run((command == "retries" ? [] : [command]) + ["--help"])
            #expect(outcome.code == 0)
            #expect(outcome.errors.isEmpty)
            try Self.compare(Array(outcome.output.utf8), with: "\(command)-help.txt")
        }
    }

    /// Compares a whole output, but for the style and the script of a page.
    static func compare(_ bytes: [UInt8], with name: String) throws {
        let url = folder.appendingPathComponent(name)
        let found = ["style", "script"].reduce(String(decoding: bytes, as: UTF8.self)) { page, element in
            let pattern = "(?s)(?<=<\(element)>\n).*?(?=</\(element)>)"
            return name.hasSuffix(".html")
                ? page.replacingOccurrences(of: pattern, with: "", options: .regularExpression) : page
        }
        if isRecording { try Data(found.utf8).write(to: url) }
        let expected = try String(contentsOf: url, encoding: .utf8)
        guard found != expected else { return }
        let lines = zip(found.split(separator: "\n"), expected.split(separator: "\n"))
        let difference = lines.first { $0 != $1 }.map { "\($0)\n  instead of\n\($1)" } ?? "a different number of lines"
        Issue.record("\(name) differs: \(difference)")
    }
}
