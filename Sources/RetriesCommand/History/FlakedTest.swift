import Foundation
import Groundwork
import RetryReport

/// A test that flaked because of a mark, in one run or in several.
struct FlakedTest: Encodable {
    var name: String
    var module: String?
    /// When it flaked, and with what, in the one run.
    var startedAt: Date?
    var message: String?
    var place: String?
    /// How many attempts flaked.
    var flakes: Int
    /// The time that its retries took.
    var seconds: Double

    private enum CodingKeys: CodingKey {
        case name, module, flakes, seconds
    }

    init(_ retry: FlakyTest) {
        let failure = retry.attempts.last { $0.outcome == .flaked }?.mainFailure
        // Before each retry, an attempt had flaked; version 0.6.0 tells no more than the number of retries.
        let flakes = retry.attempts.isEmpty ? retry.attemptedRetries : retry.attempts.count { $0.outcome == .flaked }
        name = retry.name
        module = retry.module
        startedAt = retry.attempts.first?.startedAt
        message = failure?.words
        place = failure?.place
        self.flakes = max(1, flakes.plausible)
        seconds = retry.timeLost
    }

    var fullName: String { module.map { "\($0) \(name)" } ?? name }
}
