import RetryReport

/// What was known to flake before.
struct Baseline {
    /// Tests, each by its module and name; and steps, by their test and action.
    private let known: Set<[String?]>

    init(_ report: Report) {
        known = Set(
            report.retries.map { [$0.module, $0.name] } + report.steps.map { [$0.module, $0.test, $0.action] }
        )
    }

    /// The part of `report` that this baseline does not know.
    func whatIsNew(in report: Report) -> Report {
        var report = report
        // A test of version 0.6.0 has no module: its name is all that it is known by.
        report.retries.removeAll { known.contains([$0.module, $0.name]) || known.contains([nil, $0.name]) }
        report.steps.removeAll { known.contains([$0.module, $0.test, $0.action]) }
        return report
    }
}
