import Foundation
import Groundwork
import RetryReport

/// All tests of a run, as SwiftPM's own file has them.
struct SwiftPMResults {
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

    let root: XMLTree
    let tests: [Test]
    /// What the file is called, and when it was written; `nil` if that is not known.
    let file: String
    let writtenAt: Date?

    init(_ root: XMLTree, file: String, writtenAt: Date?) {
        self.root = root
        tests = root.all("testcase").map(Test.init)
        self.file = file
        self.writtenAt = writtenAt
    }

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

    /// Why this may not be the run that `report` is of, or not all of it. Nothing in SwiftPM's file says which run it is
    /// of, so only what contradicts the report is known.
    func doubts(about report: Report) -> [String] {
        var doubts: [String] = []
        // A file system may keep times in steps of two seconds.
        if let writtenAt, let start = report.run?.startedAt, writtenAt < start - 2 {
            doubts.append("\(file) is of another run: it was written \(Times.words(writtenAt)), before this run began.")
        }
        let known = Set(tests.map(\.name)).union(tests.map(\.name.withoutModule))
        let missing = report.retries.filter { !known.contains($0.junitName.withoutArguments) }
        if !missing.isEmpty { doubts.append("\(file) does not have \(Self.words(missing)).") }
        let failed = Set(tests.filter { $0.outcome == .failed }.map(\.name))
        let passed = tests.filter { $0.outcome == .passed && !failed.contains($0.name) }
        let names = Set(passed.map(\.name)).union(passed.map(\.name.withoutModule))
        let denied = report.retries.filter { $0.outcome == .failed && names.contains($0.junitName.withoutArguments) }
        if !denied.isEmpty { doubts.append("\(file) has as passed \(Self.words(denied, "failed")).") }
        return doubts
    }

    private static func words(_ retries: [FlakyTest], _ word: String = "retried") -> String {
        "\(retries.count.of("\(word) test")): \(retries.map(\.fullName).sorted().firstFew)"
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
