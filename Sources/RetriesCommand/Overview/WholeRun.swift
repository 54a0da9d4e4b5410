import RetryReport

/// All tests of a run, as SwiftPM's own file has them.
struct WholeRun {
    /// A test; all cases of one with arguments are one.
    struct Test: Hashable {
        enum Outcome { case passed, failed, skipped }

        var name: JUnitName
        var outcome: Outcome
        var duration: Double
        /// What failed, where the file says so: of XCTest, it does not.
        var messages: [String]

        var fullName: String { "\(name.suite) \(name.name)" }
        var message: String { messages.first ?? "SwiftPM's file does not say with what" }
    }

    var tests: [Test]

    /// Those that failed, and of which `report` has no record that says so: nobody has marked what failed in them.
    func unmarkedFailures(beside report: Report) -> [Test] {
        let recoveredFail = report.run?.settings[EnvironmentVariable.failOnFlaky.rawValue] == "1"
        let told = report.retries.filter { retry in
            switch retry.outcome {
            case .failed, .pending: true
            case .recovered, nil: recoveredFail
            }
        }
        let names = Set(told.map(\.junitName.withoutArguments))
        return tests.filter { $0.outcome == .failed && !$0.name.isIn(names) }
    }

    /// Those that neither failed nor have a record in `report`.
    func passedOrSkipped(beside report: Report) -> [Test] {
        let names = Set(report.retries.map(\.junitName.withoutArguments))
        return tests.filter { $0.outcome != .failed && !$0.name.isIn(names) }
    }
}

extension JUnitName {
    /// Whether this is one of `names`; a record of version 0.6.0 has no module.
    fileprivate func isIn(_ names: Set<JUnitName>) -> Bool {
        names.contains(self) || names.contains(withoutModule)
    }

    var withoutModule: JUnitName {
        JUnitName(suite: suite.split(separator: ".").dropFirst().joined(separator: "."), name: name)
    }
}
