import RetryReport

/// How much may be retried.
struct Limits: Hashable {
    var flaky: Int?
    var retries: Int?
    var stepRetries: Int?
    var forbidden: Set<Mark> = []

    /// A mark as the command line has it.
    enum Mark: String, CaseIterable {
        case fixable
        case notFixable = "not-fixable"
    }

    /// Why `report` is more than is allowed, a line for each reason; none if it is not.
    ///
    /// - Parameter isNew: Whether `report` is only what a baseline does not know.
    func reasons(against report: Report, isNew: Bool = false) -> [String] {
        let totals = Totals(report)
        let new = isNew ? "new " : ""
        var reasons: [String] = []
        if let flaky, totals.tests > flaky {
            let names = Self.list(report.retries.map(\.fullName))
            reasons.append("\(totals.tests.of("\(new)test")) flaked, \(Self.allowed(flaky)): \(names)")
        }
        if let retries, totals.retries > retries {
            let tests = "\(totals.tests.of("\(new)test"))"
            reasons.append("\(tests) took \(totals.retries.of("retry", "retries")), \(Self.allowed(retries))")
        }
        if let stepRetries, totals.stepRetries > stepRetries {
            let count = totals.stepRetries.of("retry", "retries")
            let names = Self.list(report.steps.map { "\"\($0.action)\" in \($0.fullName)" })
            reasons.append("\(totals.steps.of("\(new)step")) took \(count), \(Self.allowed(stepRetries)): \(names)")
        }
        for retry in report.retries where forbidden.contains(retry.fixable ? .fixable : .notFixable) {
            let place = retry.place.map { ", at \($0)" } ?? ""
            reasons.append(
                "\(retry.fullName) flaked, and none marked \(retry.markName) may: \(retry.reason)\(place)"
            )
        }
        return reasons
    }

    /// What to say if nothing is too much.
    func approval(of report: Report, isNew: Bool) -> String {
        let totals = Totals(report)
        let new = isNew ? "new " : ""
        let tests = totals.tests == 0 ? "no \(new)test flaked" : "\(totals.tests.of("\(new)test")) flaked"
        let count = totals.stepRetries.of("retry", "retries")
        let steps = stepRetries == nil ? "" : ", \(totals.steps.of("step")) took \(count)"
        return "\(tests)\(steps): within the limits"
    }

    private static func allowed(_ limit: Int) -> String {
        limit == 0 ? "none may" : "at most \(limit) allowed"
    }

    /// The first few of `names`.
    static func list(_ names: [String]) -> String {
        let shown = names.prefix(5).joined(separator: ", ")
        return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
    }
}
