import Foundation
import RetryReport
import TestSupport
import Testing

@Suite("The example of a report")
struct ReportExampleTests {
    @Test("is a report, and says what the text says it does")
    func decodes() throws {
        let page = "Sources/Retryable/Retryable.docc/TheReport.md"
        let text = try String(contentsOf: Checkout.root.appendingPathComponent(page), encoding: .utf8)
        let opening = try #require(text.range(of: "```json\n"))
        let closing = try #require(text.range(of: "\n```", range: opening.upperBound..<text.endIndex))
        let report = try Report(json: Array(text[opening.upperBound..<closing.lowerBound].utf8))
        let retry = try #require(report.retries.first)
        #expect(report.retries.count == 1)
        #expect(report.run?.finishedAt != nil)
        #expect(retry.name == "-[LoginTests testSignsIn]")
        #expect(retry.maxRetriesAllowed == 1)
        #expect(retry.attemptedRetries == 1)
        #expect(retry.reason == "the token arrives late")
        #expect(retry.fixable)
        #expect(retry.outcome == .recovered)
        #expect(retry.attempts.map(\.outcome) == [.flaked, .passed])
        #expect(retry.attempts.first?.failures.map(\.isAftermath) == [false])
    }
}
