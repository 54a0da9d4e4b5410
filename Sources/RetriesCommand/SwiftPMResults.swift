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

extension SwiftPMResults {
    /// Reads a file, and the one of Swift Testing that stands beside it: one run of both frameworks has two, and whoever
    /// names the one means the run.
    init(named name: String, in context: CommandContext) throws(ReportFileError) {
        let input = InputFile(name: name, path: context.absolute(name))
        var root = try Self.root(of: input, in: context)
        let other = "\(name.hasSuffix(".xml") ? String(name.dropLast(4)) : name)-swift-testing.xml"
        let file = InputFile(name: other, path: context.absolute(other))
        if !file.isMissing { root.children += try Self.root(of: file, in: context).children }
        self.init(root, file: name, writtenAt: input.writtenAt)
    }

    private static func root(of file: InputFile, in context: CommandContext) throws(ReportFileError) -> XMLTree {
        guard let root = XMLTree(reading: try file.bytes(in: context)), root.name.hasPrefix("testsuite") else {
            let cause = "cannot be read: it is no file of swift test --xunit-output, or not all of one"
            throw ReportFileError(path: file.name, cause: cause)
        }
        return root
    }
}

extension SwiftPMResults.Test {
    init(_ element: XMLTree) {
        name = JUnitName(element)
        duration = element.attributes["time"].flatMap(Double.init) ?? 0
        let failures = element.children.filter { $0.name == "failure" || $0.name == "error" }
        // SwiftPM writes "failure" for any XCTest that failed.
        messages = failures.compactMap { $0.attributes["message"] }.filter { $0 != "failure" }
        let isSkipped = element.children.contains { $0.name == "skipped" }
        outcome = if !failures.isEmpty { .failed } else if isSkipped { .skipped } else { .passed }
    }
}

extension JUnitName {
    /// The name of a test case.
    init(_ element: XMLTree) {
        self.init(suite: element.attributes["classname"] ?? "", name: element.attributes["name"] ?? "")
    }
}

extension SwiftPMResults {
    /// SwiftPM's file with what was retried: the test cases that were retried have more in them, and one `failure` at most.
    /// All else is as SwiftPM wrote it.
    func completed(with retries: [FlakyTest]) -> XMLTree {
        var waiting = Dictionary(grouping: retries, by: \.junitName.withoutArguments)
        return root.completed(with: &waiting)
    }
}

extension XMLTree {
    /// - Parameter waiting: What is known of each test. Each record is used once.
    fileprivate func completed(with waiting: inout [JUnitName: [FlakyTest]]) -> XMLTree {
        var element = self
        guard name == "testcase" else {
            element.children = children.map { $0.completed(with: &waiting) }
            return element
        }
        let test = JUnitName(self)
        // A record of version 0.6.0 has no module.
        let retries = waiting.removeValue(forKey: test) ?? waiting.removeValue(forKey: test.withoutModule) ?? []
        var new = retries.flatMap(\.junitElements)
        if let told = new.firstIndex(where: { $0.role == .failed }) {
            // Only one failure for a test, because some tools read only the first: ours, which says what failed and why.
            for index in new.indices where index != told && new[index].role == .failed { new[index].role = .rerun }
            for failure in children where failure.name == "failure" { new[told].add(failure.attributes["message"]) }
            element.children.removeAll { $0.name == "failure" }
        }
        element.children = (new.map(\.xml) + element.children).sorted(byRank: { JUnitElement.rank(of: $0.name) })
        return element
    }
}
