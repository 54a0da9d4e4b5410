/// A variable in the environment that Retryable reads.
package enum EnvironmentVariable: String, CaseIterable, Sendable {
    case report = "RETRYABLE_REPORT"
    case runID = "RETRYABLE_RUN_ID"
    case mode = "RETRYABLE_MODE"
    case maxFlakes = "RETRYABLE_MAX_FLAKES"
    case retryDelay = "RETRYABLE_RETRY_DELAY"
    case failOnFlaky = "RETRYABLE_FAIL_ON_FLAKY"
    case supervise = "RETRYABLE_SUPERVISE"
    case taskSeed = "RETRYABLE_TASK_SEED"
    case timeLimit = "RETRYABLE_TIME_LIMIT"

    /// Returns the value; `nil` if it is not set or empty.
    package func value(in environment: [String: String]) -> String? {
        environment[rawValue].flatMap { $0.isEmpty ? nil : $0 }
    }
}
