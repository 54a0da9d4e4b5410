import Groundwork
import RetryReport

/// What a run has left open. It may hide failures, so a gate does not let it pass.
enum Unfinished {
    /// A line for each thing that `report` leaves open; none if the run came to its end.
    static func reasons(in report: Report) -> [String] {
        var reasons: [String] = []
        let pending = report.retries.filter { $0.outcome == .pending }.map(\.fullName)
        if !pending.isEmpty {
            let tests = "\(pending.count.of("test")) flaked and \(pending.count == 1 ? "was" : "were") not run again"
            reasons.append("\(tests), because the process ended before: \(pending.firstFew)")
        }
        if let warning = Overview(report).warning { reasons.append(warning) }
        return reasons
    }
}
