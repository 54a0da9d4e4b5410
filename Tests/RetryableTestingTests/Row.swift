import RetryReport
import Testing

/// A test that goes wrong, and all that is to be seen of it.
struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// `Suite/test`
    var test: String
    /// The reasons of the flakes, in order.
    var flakes: [String]
    /// The failures, in order.
    var failures: [String]
    /// How the test ended in the report; `nil` if it is not to be there.
    var outcome: FlakyTest.Outcome?
    /// How its attempts ended.
    var attempts: [AttemptRecord.Outcome]

    init(
        _ description: String,
        _ test: String,
        flakes: [String] = [],
        failures: [String] = [],
        _ outcome: FlakyTest.Outcome? = nil,
        _ attempts: [AttemptRecord.Outcome] = []
    ) {
        testDescription = description
        self.test = test
        self.flakes = flakes
        self.failures = failures
        self.outcome = outcome
        self.attempts = attempts
    }
}
