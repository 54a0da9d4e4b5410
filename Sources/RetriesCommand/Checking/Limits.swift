import Groundwork
import RetryReport

/// How much may be retried.
struct Limits: Hashable {
    var flaky: Int?
    var retries: Int?
    var stepRetries: Int?
    var forbidden: Set<Kind> = []

    /// Of which kind a mark is, as the command line has it.
    enum Kind: String, CaseIterable {
        case fixable
        case notFixable = "not-fixable"
    }

    /// Why `report` is more than is allowed, a line for each reason; none if it is not.
    ///
    /// - Parameter isNew: Whether `report` is only what a baseline does not know.
    func reasons(against report: Report, isNew: Bool = false) -> [String] {
        let totals = ReportTotals(report)
        let retries = report.worstFirst
        var reasons: [String] = []
        if let flaky, totals.retried > flaky {
            let names = retries.map(\.fullName).firstFew
            reasons.append("\(Self.tests(totals, isNew)), \(Self.allowed(flaky)): \(names)")
        }
        if let limit = self.retries, totals.retries > limit {
            let count = totals.retries.of("retry", "retries")
            reasons.append("\(Self.tests(totals, isNew)): that took \(count), and \(Self.atMost(limit))")
        }
        if let stepRetries, totals.stepRetries > stepRetries {
            let count = totals.stepRetries.of("retry", "retries")
            let names = report.worstStepsFirst.map { "\"\($0.action)\" in \($0.fullName)" }.firstFew
            let steps = totals.steps.of(isNew ? "new step" : "step")
            reasons.append("\(steps) took \(count), and \(Self.atMost(stepRetries)): \(names)")
        }
        for retry in retries where forbidden.contains(retry.fixable ? .fixable : .notFixable) {
            let test = "\(retry.fullName) \(retry.ending), and none marked \(retry.markName) may"
            reasons.append("\(test): \(retry.reason)\(retry.atPlace)")
        }
        return reasons
    }

    /// What to say if nothing is too much.
    func approval(of report: Report, isNew: Bool) -> String {
        let totals = ReportTotals(report)
        let count = totals.stepRetries.of("retry", "retries")
        let steps = stepRetries == nil ? "" : ", \(totals.steps.of("step")) took \(count)"
        return "\(Self.tests(totals, isNew))\(steps): within the limits"
    }

    /// Such as `4 tests retried (2 flaky, 1 failed, 1 pending)`.
    private static func tests(_ totals: ReportTotals, _ isNew: Bool) -> String {
        let test = isNew ? "new test" : "test"
        return totals.retried == 0 ? "no \(test) retried" : "\(totals.retried.of(test)) retried (\(totals.endings))"
    }

    private static func allowed(_ limit: Int) -> String {
        limit == 0 ? "none may be" : "at most \(limit) may be"
    }

    private static func atMost(_ limit: Int) -> String {
        limit == 0 ? "none are allowed" : "at most \(limit) are allowed"
    }
}
