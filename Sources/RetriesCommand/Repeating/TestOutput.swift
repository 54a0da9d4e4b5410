import Foundation
import Groundwork
import RetryReport

/// The tests of one run that its output and Swift Testing's stream of events name.
///
/// The report is not enough: it has only tests that were retried, and without a `RetryableTestCase`, `.retryable` or `.flaky`
/// there is none.
struct TestOutput {
    /// The tests that began, as `Class.test` or `Suite/test()`, without module: XCTest's output has none on Linux.
    private(set) var began: Set<String>
    private(set) var ended: Set<String>
    private(set) var failures: [TestFailure]

    /// A failure that made its test fail.
    struct TestFailure: Located {
        var test: String
        /// `nil` if the framework gives no place.
        var file: String?
        var line: Int?
        /// The first line of the message.
        var message: String
        var isXCTest: Bool
    }

    /// - Parameter events: The events of Swift Testing; empty where there are none, and the output is all that is known.
    init(_ output: [UInt8], events: [UInt8] = []) {
        let text = String(decoding: output, as: UTF8.self)
        let started = Set(text.matches(of: "^Test Case '(.+?)' started").map(Self.xctest))
        // With `--parallel`, SwiftPM names all tests, and shows the output of those that failed.
        let listed = Set(text.matches(of: "^\\[\\d+/\\d+\\] Testing (\\S+)").map(Self.xctest))
        began = started.union(listed)
        ended = Set(text.matches(of: "^Test Case '(.+?)' (?:passed|failed|skipped)").map(Self.xctest))
        ended.formUnion(listed.subtracting(started))
        // On Linux, an error that ends an XCTest has no place. A line without a message of the test's own ends in a dash.
        let failure = "^(?:<EXPR>:0|(.+?):(\\d+)): error: (-\\[.+?\\]|\\S+) : (.*?)(?: - )?$"
        failures = text.matches(of: failure).map { parts in
            let (test, file) = (Self.xctest([parts[2]]), parts[0].isEmpty ? nil : parts[0])
            return TestFailure(test: test, file: file, line: Int(parts[1]), message: parts[3], isXCTest: true)
        }
        guard events.isEmpty else {
            for line in events.split(separator: UInt8(ascii: "\n")) { add(event: line) }
            return
        }
        began.formUnion(text.matches(of: "^\\S Test (?!run )(.+) started\\.").map { $0[0] })
        let end = "^\\S Test (?!run )(.+?)(?: with .+)? (?:passed after|failed after|skipped)"
        ended.formUnion(text.matches(of: end).map { $0[0] })
        let issue = "^\\S Test (.+?) recorded an issue(?: with .+)? at (.+?):(\\d+):\\d+: (.*)"
        failures += text.matches(of: issue).map {
            TestFailure(test: $0[0], file: $0[1], line: Int($0[2]), message: $0[3], isXCTest: false)
        }
    }

    /// The name of an XCTest in one of the forms that its output has: `Module.Class/test`, `Class.test`, `-[Module.Class test]`.
    private static func xctest(_ parts: [String]) -> String {
        let name = parts.last { !$0.isEmpty } ?? ""
        let words = name.split { "-[]/. ".contains($0) }
        // On Apple's systems, a retry is `test$2`.
        return words.suffix(2).joined(separator: ".").replacingOccurrences(
            of: "\\$\\d+$",
            with: "",
            options: .regularExpression
        )
    }

    /// Adds one line of Swift Testing's stream, unless it is of another kind, or a crash has cut it off.
    private mutating func add(event line: ArraySlice<UInt8>) {
        let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        guard let event = object?["payload"] as? [String: Any], let id = event["testID"] as? String,
            // `Module.Suite/test()/File.swift:12:6`; suites have no place.
            let test = id.matches(of: "^.+?\\.(.+)/[^/]+:\\d+:\\d+$").first?[0]
        else { return }
        switch event["kind"] as? String {
        case "testStarted": began.insert(test)
        case "testEnded", "testSkipped": ended.insert(test)
        case "issueRecorded":
            let issue = event["issue"] as? [String: Any]
            guard issue?["isKnown"] as? Bool == false, issue?["isFailure"] as? Bool != false else { return }
            let place = issue?["sourceLocation"] as? [String: Any]
            let (file, line) = (place?["_filePath"] as? String, place?["line"] as? Int)
            let message = (event["messages"] as? [[String: Any]])?.first?["text"] as? String ?? ""
            failures.append(TestFailure(test: test, file: file, line: line, message: message, isXCTest: false))
        default: break
        }
    }

    // MARK: - Judging

    /// The tests that failed, flaked, or began and did not end.
    func bad(_ report: Report) -> Set<String> {
        let flaked = report.retries.map { test in
            test.name.hasPrefix("-[")
                ? Self.xctest([test.name]) : TestName(suite: "", name: test.name).withoutArguments.name
        }
        return began.subtracting(ended).union(failures.map(\.test)).union(flaked)
    }

    /// The failures outside of sections, which the report does not have.
    func unmarkedFailures(_ report: Report) -> [TestFailure] {
        let known = report.retries.flatMap { $0.attempts.flatMap(\.failures) }
        return failures.filter { failure in
            !known.contains { known in
                // On Linux, an error that ends an XCTest has no place.
                known.line == failure.line && failure.file?.hasSuffix(known.file ?? "") == true
                    || failure.file == nil && known.message.hasPrefix(failure.message)
            }
        }
    }
}

// MARK: - Data races

/// The data races of a package that the thread sanitizer reports.
enum Races {
    /// Returns a sentence for each race in demangled `output` that names a function of the package.
    /// One is `a data race: Cart.add() in Sources/Shop/Cart.swift and …`.
    static func sentences(in output: [UInt8], folder: String) -> [String] {
        let path = NSRegularExpression.escapedPattern(for: folder)
        let frame = "^ *#\\d+ (.+) \(path)/(?!\\.build/)([^:\\s]+)"
        let reports = String(decoding: output, as: UTF8.self).components(separatedBy: "WARNING: ThreadSanitizer: ")
        return reports.dropFirst().compactMap { report in
            // The stacks of the two accesses come first. Later ones show where a thread or the memory was created.
            let accesses = report.components(separatedBy: "\n\n").prefix(2).compactMap { $0.matches(of: frame).first }
            let places = Set(accesses.map { "\($0[0]) in \($0[1])" }).sorted()
            return places.isEmpty ? nil : "a data race: \(places.joined(separator: " and "))"
        }
    }
}

// MARK: - Suggested marks

/// A suggested mark for a line without one, which failed in some runs and passed in others; encoded as JSON.
struct SuggestedMark: Encodable {
    let place: String?
    let test: String
    let mark: String
    let runs: Int
    /// The runs in which the line failed.
    let bad: Int
    /// The line that failed, how often, and its last message.
    let sentence: String
    let advice: String

    /// The marks for the failures of these runs, the most frequent first.
    static func suggestions(for runs: [[TestOutput.TestFailure]], in folder: String) -> [SuggestedMark] {
        // The first failure of each line in each run.
        let failures = runs.flatMap { failures in
            Dictionary(failures.map { ($0.place ?? $0.test, $0) }, uniquingKeysWith: { first, _ in first })
        }
        return Dictionary(grouping: failures, by: \.key).values.filter { $0.count < runs.count }
            .map { SuggestedMark($0.map(\.value), in: folder, of: runs.count) }
            .sorted { ($1.bad, $0.place ?? $0.test) < ($0.bad, $1.place ?? $1.test) }
    }

    private init(_ failures: [TestOutput.TestFailure], in folder: String, of runs: Int) {
        let first = failures[0]
        test = first.test
        place = SourcePlace(file: first.file.map { FilePath($0).relative(to: folder) }, line: first.line).place
        mark = Self.mark(holding: failures.map(\.message))
        (self.runs, bad) = (runs, failures.count)
        let message = failures.last.map { $0.message.isEmpty ? "" : ": \($0.message.cut(to: 300))" } ?? ""
        let interval = ConfidenceInterval(bad, of: runs).text
        sentence = "\(place ?? test) failed in \(bad) of \(runs.of("run")) (\(interval))\(message)"
        let home = first.isXCTest ? "a class that inherits from RetryableTestCase" : "a @Suite(.retryable)"
        advice = "to contain it, in \(home), put it into \(mark)"
    }

    /// A mark that holds failures with the beginning that all messages share.
    private static func mark(holding messages: [String]) -> String {
        var common = messages.dropFirst().reduce(messages[0]) { $0.commonPrefix(with: $1) }
        // A single message does not show which part of it changes: the text ends before its first number.
        if messages.count == 1 { common = String(common.prefix { !$0.isNumber }) }
        if common != messages[0], let end = common.lastIndex(of: " ") { common = String(common[..<end]) }
        let text = String(common.prefix(80)).replacing(["\"": "\\\"", "\\": "\\\\"]).escapingControlCharacters
        return "flaky(.fixable(reason: \"…\"" + (text.isEmpty ? "" : ", matching: \"\(text)\"") + ")) { … }"
    }
}

extension String {
    /// The groups of each match of an expression, in which `^` and `$` match at every line.
    func matches(of pattern: String) -> [[String]] {
        // No pattern fails, because all are literals, and the tests use each of them.
        guard let expression = try? NSRegularExpression(pattern: pattern, options: .anchorsMatchLines) else {
            return []
        }
        return expression.matches(in: self, range: NSRange(startIndex..., in: self)).map { match in
            (1..<match.numberOfRanges).map { Range(match.range(at: $0), in: self).map { String(self[$0]) } ?? "" }
        }
    }
}
