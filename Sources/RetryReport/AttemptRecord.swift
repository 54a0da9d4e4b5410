import Foundation
import Groundwork

/// One execution of one test.
package struct AttemptRecord: Hashable, Codable, Sendable {
    /// The number, which is 1 for the first execution.
    package var number: Int
    package var outcome: Outcome
    package var startedAt: Date
    package var duration: Double
    /// All that went wrong, suppressed or not: the first real failure, then the others in their order.
    package var failures: [Failure]
    /// The look at the machine right after the flake; `nil` if the attempt did not flake.
    package var machine: MachineLoad?
    /// The seed that ordered its tasks; `nil` if none did.
    package var taskSeed: TaskSeed?

    package enum Outcome: String, ReportKeyword, Sendable {
        case flaked, passed, failed, skipped
    }

    package init(number: Int, outcome: Outcome, startedAt: Date, duration: Double, failures: [Failure] = []) {
        self.number = number
        self.outcome = outcome
        self.startedAt = startedAt
        self.duration = duration.roundedForReport
        self.failures = failures
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        number = try values.count(.number)
        outcome = try values.decode(Outcome.self, forKey: .outcome)
        startedAt = try values.decode(Date.self, forKey: .startedAt)
        duration = try values.number(.duration)
        (failures, machine) = (try values.optional(.failures) ?? [], try values.optional(.machine))
        taskSeed = try values.optional(.taskSeed)
    }

    /// The first failure; an aftermath only if there is nothing else.
    package var mainFailure: Failure? { failures.first { !$0.isAftermath } ?? failures.first }
}

/// The seed that ordered the tasks of an attempt, and what had a part in their order besides.
package struct TaskSeed: Hashable, Codable, Sendable {
    package var seed: Int
    /// The jobs that other threads added while there were others to run.
    package var outsideJobs = 0
    /// The jobs that blocked their thread, so that another ran the others beside them.
    package var blockedJobs = 0

    package init(seed: Int, outsideJobs: Int = 0) {
        (self.seed, self.outsideJobs) = (seed, outsideJobs)
    }

    /// The reason why the same seed may make another order; `nil` if there is none.
    package var limit: String? {
        let counts = [(outsideJobs, "came from another thread"), (blockedJobs, "blocked a thread")]
        let reasons = counts.filter { $0.0 > 0 }.map { "\($0.of("job")) \($1)" }
        return reasons.isEmpty ? nil : "seed \(seed) does not decide alone: \(reasons.joined(separator: ", "))"
    }
}
