import Foundation

/// One execution of one test.
package struct AttemptRecord: Hashable, Codable, Sendable {
    /// 1 for the first execution.
    @ReportCount package var number: Int
    package var outcome: Outcome
    package var startedAt: Date
    @ReportSeconds package var duration: Double
    package var failures: [Failure]

    package enum Outcome: String, ReportKeyword, Sendable {
        case flaked, passed, failed, skipped
    }

    package init(number: Int, outcome: Outcome, startedAt: Date, duration: Double, failures: [Failure] = []) {
        self.number = number
        self.outcome = outcome
        self.startedAt = startedAt
        self.duration = duration
        self.failures = failures
    }
}
