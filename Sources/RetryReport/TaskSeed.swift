import Groundwork

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
