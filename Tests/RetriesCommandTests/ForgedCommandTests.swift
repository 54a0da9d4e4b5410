import Testing

@testable import RetriesCommand
@testable import RetryReport

/// A text each line of which is a command to a CI, the second one after a space of another kind.
private let command = "::error::forged\n\u{A0}::error::forged\n##[error]forged"

extension String {
    /// The lines that a CI takes for the command in ``command``.
    fileprivate var forgedLines: [String] {
        split(whereSeparator: \.isNewline).map { String($0.drop(while: \.isWhitespace)) }
            .filter { $0.hasPrefix("::error::") || $0.hasPrefix("##[") }
    }
}

@Suite("Text from tests, on a CI")
struct ForgedCommandTests {
    @Test("text from tests begins no line of a report's formats", arguments: ReportFormat.allCases)
    func report(format: ReportFormat) throws {
        var report = Sample.filled(with: command)
        for index in report.tests.indices { (report.tests[index].name, report.tests[index].module) = (command, nil) }
        #expect(String(decoding: try format.bytes(of: report.overview), as: UTF8.self).forgedLines == [])
    }

    @Test("text from tests begins no line of the formats of many runs", arguments: ResultFormat.allCases)
    func results(format: ResultFormat) throws {
        var results = RepetitionResults(conditions: [], outcomes: [:], marks: [])
        (results.sentences, results.totals) = ([command], ["\u{A0}::error::forged"])
        #expect(String(decoding: try format.bytes(of: results, hasColor: false), as: UTF8.self).forgedLines == [])
    }
}
