import Foundation
import RetryReport

/// The tests of one run that its output and Swift Testing's stream of events name.
///
/// The report is not enough: it has only tests that were retried, and without a `RetryableTestCase`, `.retryable` or `.flaky`
/// there is none.
struct TestOutput {
    /// The tests that the output shows beginning, in this order, as `Class.test` or `Suite/test()`: without module, as XCTest's
    /// output has none on Linux.
    private(set) var order: [String]
    var began: Set<String> { onlyListed.union(order) }
    private(set) var ended: Set<String> = []
    /// The tests that passed or failed in an attempt. One that flaked may show as skipped there, and is in the report.
    private(set) var ran: Set<String> = []
    /// The tests of which only ``listing`` is shown: they passed, or were skipped.
    private(set) var onlyListed: Set<String>
    /// The names that several tests have: classes or suites of two modules may have one name, and lines may name no suite.
    private(set) var ambiguous: Set<String> = []
    private(set) var failures: [TestFailure]
    /// The ends of tests that began and did not end, because they crashed, or because the run was ended; or the crash of what a test
    /// left behind.
    private(set) var crashes: [TestFailure] = []
    /// The tests that began and did not end.
    var open: Set<String> { began.subtracting(ended) }
    private var failedCases = 0
    /// The number of tests that failed, and of cases as far as the output names them.
    var failedCount: Int { max(failedCases, Set(failures.map(\.test)).count) }
    /// Whether a test framework says that the run failed, be it by a suite or by no test, or SwiftPM that it crashed.
    private(set) var hasFailed = false
    /// Whether SwiftPM says that a test process crashed.
    private(set) var hasCrashed = false
    /// An issue of Swift Testing belongs to no test, such as one on a thread.
    private(set) var hasFailureOfNoTest = false
    /// A process ended before it showed a test, whether or not a class of XCTest or Swift Testing's run had begun in it. So which
    /// tests it would have run is unknown.
    private(set) var hasEndedBeforeTests = false
    /// A process of XCTest ended before its outermost suite, perhaps between two tests.
    private(set) var isCutOff = false
    /// The tests of the events that were cancelled, or of which a case was.
    private(set) var cancelled: Set<String> = []
    /// The number of a test's cases that have ended and were not cancelled.
    private var wholeCases: [String: Int] = [:]
    /// The tests of the events, with their modules, and their names.
    private var identities: [(id: String, name: String)] = []

    /// A failure that made its test fail.
    struct TestFailure: Located {
        var test: String
        /// `nil` if the framework gives no place.
        var file: String?
        var line: Int?
        /// The first line of the message.
        var message: String
        var isXCTest: Bool
        var isCrash = false
        /// It crashed after its end, in a task or a thread that it left behind.
        var isLeftBehind = false
    }

    // Before the frameworks' lines may stand what others put before each line, such as a time.
    private static let xctestStart = LinePattern(#"^(?:[ -~\t]{0,80}[ \t])?Test Case '(.+?)' started(?: at|\.|$)"#)
    /// A test that prints no line break is still on the line.
    private static let xctestEnd = LinePattern(#"Test Case '(.+?)' (passed|failed|skipped)"#)
    /// The line of SwiftPM with `--parallel`, which names all tests, and shows the output of those that failed.
    private static let listing = LinePattern(#"^\[\d+/\d+\] Testing (\S+)"#)
    static let listingLimit = "with --parallel, the output does not tell a test that passed from one that was skipped"
    static let nameLimit = "several tests of that name ran"
    /// On Linux, an error that ends an XCTest has no place, nor has the end of a supervised process. A line without a message of the
    /// test's own ends in a dash.
    private static let xctestFailure = LinePattern(
        #"^(?:[ -~\t]{0,80}?[ \t])??(?:<(?:EXPR|unknown)>:0|(/.+?|\S+?):(\d+)): error: (-\[.+?\]|\S+) : (.*?)(?: - )?$"#
    )
    /// The line of a case is not that of its test, and one of its end may be missing. A name is a display name, or a function's,
    /// which has parentheses.
    private static let testStart = LinePattern(
        #"^(?:\S|[ -~\t]*[◇✔✘━➜]) Test (?!run |case )(".+?"(?: \(aka '.+?'\))?|(?:`[^`\n]+`|[^\s"(`])+\([^"\n]*?\)) started\."#
    )
    /// Any text may be in a display name, and before the line what a test prints without a line break.
    private static let testEnd = LinePattern(
        #"(?:^\S|[^\n -~]) +Test (?!run |case )(".+?"(?: \(aka '.+?'\))?|(?:`[^`\n]+`|[^\s"(`])+\([^"\n]*?\))(?: with \d+ test cases?)? (?:(passed|failed|was cancelled) after|skipped[.:])"#
    )
    static let testLines = [xctestStart, xctestEnd, testStart, testEnd]
    private static let runFailure = LinePattern(
        #"^(?:\S|[ -~\t]*[◇✔✘━➜]) +Test run with .+ failed after|^(?:[ -~\t]{0,80}[ \t])?\t Executed \d+ tests?, .+ [1-9]\d* failure|^Retryable: the run has failed"#
    )
    private static let outermostStart = LinePattern(
        #"^(?:[ -~\t]{0,80}[ \t])?Test Suite '(?:All|Selected) tests' started at "#
    )
    private static let outermostEnd = LinePattern(#"Test Suite '(?:All|Selected) tests' (?:passed|failed) at "#)
    private static let testingRun = LinePattern(#"^(?:\S|[ -~\t]*[◇✔✘━➜]) +Test run (started\.|with )"#)
    /// SwiftPM's line of a process that a signal ended. It may follow unfinished output on the same line.
    private static let death = LinePattern(#"error: (?:Process '[^'\n]*' e|E)xited with unexpected [a-z ]+\d+$"#)
    private static let issue = LinePattern(
        #"^(?:\S|[ -~\t]*[◇✔✘━➜]) Test (.+?) recorded an issue(?: with (.+?))? at (.+?):(\d+):\d+: (.*)"#
    )
    /// The identity of a test in an event: `Module.Suite/test()/File.swift:12:6`. Suites have no place.
    private static let eventTest = LinePattern(#"^(.+?\.(.+))/[^/]+:\d+:\d+$"#)

    /// - Parameter events: The events of Swift Testing; empty where there are none, and the output is all that is known.
    init(_ output: [UInt8], events: [UInt8] = []) {
        // Swift Testing's symbols have a color where the output is a pipe.
        let text = String(decoding: output, as: UTF8.self)
            .replacingOccurrences(of: "\u{1B}\\[[0-9;]*m", with: "", options: .regularExpression)
        defer { findCrashes(in: text) }
        order = Self.xctestStart.groups(in: text).map { Self.xctest($0[0]) }
        let listed = Self.listing.groups(in: text).map { (id: $0[0], name: Self.xctest($0[0])) }
        onlyListed = Set(listed.map(\.name)).subtracting(order)
        // On Linux, these lines name no module; each is of another test, but for retries.
        let beforeRetries = text.components(separatedBy: "Test Suite 'Retries' started")[0]
        let first = Self.xctestStart.groups(in: beforeRetries)
        let again = Self.restarts(in: beforeRetries, Self.xctestStart, Self.xctestEnd).map(Self.xctest)
        let begun = first.enumerated().map { index, parts in
            (id: parts[0].hasPrefix("-[") ? parts[0] : "\(index)", name: Self.xctest(parts[0]))
        }
        ambiguous = Self.shared(by: listed).union(Self.shared(by: begun, without: again))
        failures = Self.xctestFailure.groups(in: text).map { parts in
            let (test, file) = (Self.xctest(parts[2]), parts[0].isEmpty ? nil : parts[0])
            return TestFailure(test: test, file: file, line: Int(parts[1]), message: parts[3], isXCTest: true)
        }
        let xctestEnds = Self.xctestEnd.groups(in: text).map { (test: Self.xctest($0[0]), word: $0[1]) }
        for (test, word) in xctestEnds { end(test, hasRun: word != "skipped") }
        // A test that flaked has ended once, and its retry may not have.
        let endings = Dictionary(grouping: xctestEnds, by: \.test).mapValues(\.count)
        for (test, starts) in Dictionary(grouping: order, by: \.self) {
            if starts.count - again.count(where: { $0 == test }) > endings[test, default: 0] { ended.remove(test) }
        }
        ended.formUnion(onlyListed)
        hasCrashed = !Self.death.groups(in: text).isEmpty
        hasFailed = hasCrashed || !Self.runFailure.groups(in: text).isEmpty
        let (starts, ends) = (Self.testStart.groups(in: text), Self.testEnd.groups(in: text))
        let issues = Self.issue.groups(in: text)
        let issuesOfTests = issues.filter { $0[0] != "«unknown»" }
        hasFailureOfNoTest = issuesOfTests.count < issues.count
        failedCases = Set(failures.map(\.test)).count + Set(issues.map { Array($0[..<2]) }).count
        var named = self
        for line in events.split(separator: UInt8(ascii: "\n")) { named.add(event: line) }
        named.ambiguous.formUnion(Self.shared(by: named.identities))
        // Swift Build has the processes of all test targets write one file of events, in which only the last one's remain.
        let areAllNamed = Set(named.order.dropFirst(order.count)).count >= Set(starts.map { $0[0] }).count
        guard events.isEmpty || !areAllNamed else {
            self = named
            return
        }
        order += starts.map { $0[0] }
        for parts in ends { end(parts[0], hasRun: parts[1] == "passed" || parts[1] == "failed") }
        let restarts = Self.restarts(in: text, Self.testStart, Self.testEnd)
        for (lines, restarts) in [(starts, restarts), (ends, [])] {
            ambiguous.formUnion(Self.shared(by: lines.enumerated().map { ("\($0)", $1[0]) }, without: restarts))
        }
        failures += issuesOfTests.map {
            TestFailure(test: $0[0], file: $0[2], line: Int($0[3]), message: $0[4], isXCTest: false)
        }
    }

    /// The name of an XCTest in one of the forms that its output has: `Module.Class/test`, `Class.test`, `-[Module.Class test]`.
    private static func xctest(_ name: String) -> String {
        let test = name.split { "-[]/. ".contains($0) }.suffix(2).joined(separator: ".")
        // On Apple's systems, a retry is `test$2`.
        return test.replacingOccurrences(of: "\\$\\d+$", with: "", options: .regularExpression)
    }

    /// What became of tests that are ``Repetition/unprovenTests``. Only one with arguments has cases.
    static func skipped(_ tests: some Sequence<String>) -> String {
        tests.contains { $0.hasSuffix(":)") } ? "skipped or had a case cancelled" : "skipped"
    }

    static func isOfSwiftTesting(_ test: String) -> Bool { test.hasSuffix(")") || test.hasPrefix("\"") }

    /// The names that more than one of these tests have, each of `restarts` counting for none.
    private static func shared(by tests: [(id: String, name: String)], without restarts: [String] = []) -> Set<String> {
        let ids = Dictionary(grouping: tests, by: \.name).mapValues { Set($0.map(\.id)).count }
        return Set(ids.filter { name, count in count - restarts.count(where: { $0 == name }) > 1 }.keys)
    }

    /// The line on the death of a supervised process.
    static let nextProcess = "; the tests that are left run in another process"

    /// The tests that a supervised process had begun when it died, and that the next one began again.
    private static func restarts(in text: String, _ start: LinePattern, _ end: LinePattern) -> [String] {
        guard text.contains(nextProcess) else { return [] }  // as nearly always
        var (open, restarts) = (Set<String>(), [String]())
        for part in text.components(separatedBy: nextProcess) {
            let begun = start.groups(in: part).map { $0[0] }
            restarts += begun.filter(open.contains)
            open = Set(begun).subtracting(end.groups(in: part).map { $0[0] })
        }
        return restarts
    }

    private mutating func end(_ test: String, hasRun: Bool) {
        ended.insert(test)
        if hasRun { ran.insert(test) }
    }

    private mutating func findCrashes(in text: String) {
        isCutOff = Self.outermostStart.groups(in: text).count > Self.outermostEnd.groups(in: text).count
        crashes = TestFailure.crashes(of: open, after: ended, hasDied: hasCrashed || isCutOff, in: text)
        guard crashes.isEmpty else { return }
        let suite = text.range(of: "Test Suite '", options: .backwards).map { text[$0.lowerBound...] } ?? ""
        let isOpen = suite.prefix { $0 != "\n" }.contains("' started at ") && !suite.contains("Test Case '")
        let runs = order.contains(where: Self.isOfSwiftTesting) ? nil : Self.testingRun.groups(in: text)
        let begun = runs?.count { $0[0] == "started." } ?? 0
        // Its process may even crash before its run, while it collects the arguments of tests.
        let isCut = runs.map { begun > $0.count - begun || hasCrashed && $0.isEmpty } ?? false
        hasEndedBeforeTests = isOpen || isCut
    }

    /// Adds one line of Swift Testing's stream, of any version, unless it is of another kind, or a crash has cut it off.
    private mutating func add(event line: ArraySlice<UInt8>) {
        let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        guard let event = object?["payload"] as? [String: Any], let id = event["testID"] as? String,
            let names = Self.eventTest.groups(in: id).first
        else { return }
        let test = names[1]
        identities.append((names[0], test))
        switch event["kind"] as? String {
        case "testStarted": order.append(test)
        case "testCaseEnded": wholeCases[test, default: 0] += 1
        case "testCancelled": cancelled.insert(test)
        case "testCaseCancelled":
            cancelled.insert(test)
            wholeCases[test, default: 0] -= 1
        case "testEnded": end(test, hasRun: !cancelled.contains(test) || wholeCases[test, default: 0] > 0)
        case "testSkipped": end(test, hasRun: false)
        case "issueRecorded":
            let issue = event["issue"] as? [String: Any]
            // Swift 6.2 has only the severity, with an underscore.
            let severity = (issue?["severity"] ?? issue?["_severity"]) as? String
            guard issue?["isKnown"] as? Bool != true, issue?["isFailure"] as? Bool ?? (severity != "warning") else {
                return
            }
            let place = issue?["sourceLocation"] as? [String: Any]
            let (file, line) = ((place?["filePath"] ?? place?["_filePath"]) as? String, place?["line"] as? Int)
            let texts = (event["messages"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
            // The words of `Issue.record` stand behind these, and a mark may match them.
            let message = texts.first { $0 != "Issue recorded" } ?? texts.first ?? ""
            failures.append(TestFailure(test: test, file: file, line: line, message: message, isXCTest: false))
        default: break
        }
    }

    // MARK: - Judging

    /// The tests that failed, flaked, or began and did not end.
    func bad(_ report: Report) -> Set<String> {
        open.union(failures.map(\.test)).union(report.tests.map(nameHere(of:)))
    }

    /// The name that this output has for a test of the report. Without events, lines of Swift Testing name no suite.
    func nameHere(of test: TestRecord) -> String {
        let name = Self.name(of: test)
        return began.contains(name) ? name : order.first { name.hasSuffix("/\($0)") } ?? name
    }

    /// The name that an output with events has for a test of the report.
    static func name(of test: TestRecord) -> String {
        test.name.hasPrefix("-[") ? xctest(test.name) : JUnitName(suite: "", name: test.name).withoutArguments.name
    }

    /// The failures outside of sections, which the report does not have.
    func unmarkedFailures(_ report: Report) -> [TestFailure] {
        failures.filter { failure in
            // Without events, the lines of Swift Testing name no suite.
            let isNamed = failure.isXCTest || failure.test.contains("/")
            let tests = report.tests.filter { !isNamed || Self.name(of: $0) == failure.test }
            let setting = "\(EnvironmentVariable.failOnFlaky.rawValue)=1 counts as failed: "
            if failure.message.contains(setting), tests.contains(where: { $0.outcome == .recovered }) { return false }
            return !tests.flatMap { $0.attempts.flatMap(\.failures) }.contains { known in
                // An error that ends a test has no place: of an XCTest in the output on Linux, of others in the report.
                guard let file = failure.file, let knownFile = known.file else {
                    return known.message.hasPrefix(failure.message)
                }
                // The report may have a way through the folders above; Swift Testing's lines have the file's name alone.
                let path = knownFile.replacingOccurrences(of: "^(\\.\\./)+", with: "", options: .regularExpression)
                let isThere = file.hasSuffix(path) || path.hasSuffix("/\(file)")
                return isThere && known.line == failure.line
            }
        }
    }
}
