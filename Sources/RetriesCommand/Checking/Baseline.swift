import RetryReport

/// What was known to flake before.
struct Baseline {
    private struct Test: Hashable {
        var name: String
        var module: String?
    }

    private struct KnownStep: Hashable {
        var test: Test
        var action: String
    }

    private var tests: Set<Test> = []
    private var steps: Set<KnownStep> = []

    init(_ report: Report) {
        for retry in report.retries { tests.insert(Test(name: retry.name, module: retry.module)) }
        for step in report.steps { steps.insert(Self.known(step)) }
    }

    /// The part of `report` that this baseline does not know.
    func whatIsNew(in report: Report) -> Report {
        var report = report
        report.retries.removeAll { knows($0) }
        report.steps.removeAll { step in steps.contains(Self.known(step)) }
        return report
    }

    /// A test of version 0.6.0 has no module: its name is all that it is known by.
    private func knows(_ retry: Retry) -> Bool {
        tests.contains(Test(name: retry.name, module: retry.module)) || tests.contains(Test(name: retry.name))
    }

    private static func known(_ step: Step) -> KnownStep {
        KnownStep(test: Test(name: step.test, module: step.module), action: step.action)
    }
}
