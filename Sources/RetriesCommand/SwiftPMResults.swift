import Foundation
import Groundwork
import RetryReport

/// All tests of a run, from the file that `swift test --xunit-output` wrote.
struct SwiftPMResults {
    private(set) var root: XMLTree
    let file: String
    /// The times at which the files that were read were written, by their names.
    private(set) var writtenAt: [String: Date]
    /// The reason why Swift Testing's part cannot be read, such as a process that died while SwiftPM wrote it.
    private(set) var problem: String?

    /// The test cases. All cases of a test with arguments are one.
    var tests: [XMLTree] { root.all("testcase") }
}

extension SwiftPMResults {
    /// Reads a file and Swift Testing's beside it: SwiftPM writes both for one run.
    init(contentsOf path: String, in context: CommandContext) throws {
        let input = context.input(path)
        self.init(root: try Self.root(of: input, in: context), file: path, writtenAt: [:])
        writtenAt[path] = FilePath(input.identity).lastChange
        let (stem, ending) = (NSString(string: path).deletingPathExtension, NSString(string: path).pathExtension)
        let other = context.input("\(stem)-swift-testing\(ending.isEmpty ? "" : ".\(ending)")")
        do {
            if !other.isMissing {
                root.children += try Self.root(of: other, in: context).children
                writtenAt[other.name] = FilePath(other.identity).lastChange
            }
        } catch { problem = "\(error); its tests are missing here." }
    }

    private static func root(of file: InputFile, in context: CommandContext) throws(ReportFileError) -> XMLTree {
        guard let root = XMLTree(reading: try file.bytes(in: context)), root.name.hasPrefix("testsuite") else {
            let cause = "cannot be read: it is not a file of swift test --xunit-output, or not all of one"
            throw ReportFileError(path: file.name, cause: cause)
        }
        return root
    }

    /// The tests that failed and have no record in `report` that explains it: they failed outside of every section.
    func unmarkedFailures(beside report: Report) -> [TestRecord] {
        let names = Set(report.tests.filter { $0.isBad || report.failsOnFlaky }.map(\.junitName.withoutArguments))
        return tests.filter { $0.hasFailed && !names.contains($0.junitName) }.map { TestRecord(unmarked: $0) }
    }

    /// The number of tests that neither failed nor have a record in `report`.
    func passedOrSkipped(beside report: Report) -> Int {
        let names = Set(report.tests.map(\.junitName.withoutArguments))
        return tests.count { !$0.hasFailed && !names.contains($0.junitName) }
    }

    /// The contradictions between `report` and this file, which does not say of which run it is: signs that they are of two.
    func doubts(about report: Report) -> [String] {
        var doubts = [problem].compactMap(\.self)
        // Some file systems keep times in steps of two seconds.
        let start = (report.run?.startedAt ?? .distantPast) - 2
        for (file, time) in writtenAt.sorted(by: { $0.key < $1.key }) where time < start {
            doubts.append("\(file) is of another run: it was written \(Times.text(time)), before this run began.")
        }
        let known = Dictionary(grouping: tests, by: \.junitName)
        let others = report.tests.filter { test in
            guard let found = known[test.junitName.withoutArguments] else { return problem == nil }
            return test.outcome == .failed && !found.contains(where: \.hasFailed)
        }
        if !others.isEmpty {
            let names = "\(others.count.of("retried test")): \(others.map(\.fullName).sorted().firstFew)"
            doubts.append("\(file) does not have, or has as passed, \(names).")
        }
        // Before Swift 6.4, an issue in a detached task belongs to no test; since then, to the test whose source holds the line.
        for suite in root.all("testsuite") {
            let named = suite.all("testcase").flatMap(\.children).count(where: \.isFailure)
            let others = (suite.attributes["failures"].flatMap { Int($0) } ?? 0) - named
            if others > 0 { doubts.append("\(file) counts \(others.of("failure")) of no test: see the run's output.") }
        }
        return doubts
    }
}

extension XMLTree {
    var junitName: JUnitName { JUnitName(suite: attributes["classname"] ?? "", name: attributes["name"] ?? "") }

    var hasFailed: Bool { children.contains(where: \.isFailure) }

    /// Whether it is an element that makes its test case fail.
    var isFailure: Bool { name == "failure" || name == "error" }

    /// The message of a failure; `nil` where SwiftPM has none: it writes "failure" for any XCTest.
    var failureMessage: String? { attributes["message"].flatMap { $0 == "failure" ? nil : $0 } }
}

extension TestRecord {
    /// A test that failed outside of every section, named as a report names tests.
    fileprivate init(unmarked test: XMLTree) {
        let name = test.junitName.name
        let path = test.junitName.suite[...].parts(separatedBy: ".").map(String.init)
        let isXCTest = !name.hasSuffix(")")
        let suites = path.dropFirst().joined(separator: isXCTest ? "." : "/")
        let duration = test.attributes["time"].flatMap(Double.init) ?? 0
        var attempt = AttemptRecord(number: 1, outcome: .failed, startedAt: .distantPast, duration: duration)
        attempt.failures = test.children.filter(\.isFailure).map { failure in
            let message = failure.failureMessage ?? "SwiftPM's file has no message"
            return Failure(message: message, file: nil, line: nil, kind: .assertion)
        }
        let testing = suites.isEmpty ? name : "\(suites)/\(name)"
        let mark = Flakiness.notFixable(reason: "", maxRetryCount: 0)
        self.init(name: isXCTest ? "-[\(suites) \(name)]" : testing, module: path.first, mark: mark)
        outcome = .failed
        attempts = [attempt]
    }
}
