import Foundation
import RetryReport
import TestSupport
import Testing

@testable import RetryCore

@Suite("Wording")
struct WordingTests {
    private func retry(_ outcome: FlakyTest.Outcome, attempted: Int = 1, max: Int = 1) -> FlakyTest {
        FlakyTest(
            name: "-[Login testSignsIn]",
            module: "Shop",
            maxRetriesAllowed: max,
            attemptedRetries: attempted,
            reason: "the token arrives late",
            fixable: true,
            outcome: outcome,
            file: "Tests/Login.swift",
            line: 12,
            attempts: ["no token", "no answer"].enumerated().map { index, message in
                let failure = Failure(message: "\(message) - ", file: "Tests/Login.swift", line: 14, kind: .assertion)
                return AttemptRecord(
                    number: index,
                    outcome: .flaked,
                    startedAt: Date(),
                    duration: 1,
                    failures: [failure]
                )
            }
        )
    }

    @Test("the summary counts, names and shows the way to the report")
    func summary() {
        let summary = RunSummary(
            tests: [retry(.recovered), retry(.failed, attempted: 2, max: 2)],
            counts: .init(),
            settings: RunSettings(),
            report: "report.json"
        )
        let causes =
            "; failure: no answer, at Tests/Login.swift:14; reason: the token arrives late (fixable), at Tests/Login.swift:12"
        #expect(
            summary.lines == [
                "1 failed, 1 flaky", "-[Login testSignsIn] failed, 3 attempts\(causes)",
                "-[Login testSignsIn] passed on attempt 2 of 2\(causes)", "report: report.json",
            ]
        )
    }
}
