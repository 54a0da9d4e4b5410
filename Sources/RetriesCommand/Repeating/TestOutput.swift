import Foundation
import Groundwork
import RetryReport

/// The tests of one run, as far as its output and Swift Testing's stream of events name them.
///
/// A report has only tests that were retried, and there is none without a `RetryableTestCase`, `.retryable` or `.flaky`.
struct TestOutput {
    /// The tests that began, as `Class.test` or `Suite/test()`, without module: XCTest's output has none on Linux.
    private(set) var began: Set<String> = []
    private(set) var ended: Set<String> = []
    private(set) var failures: [TestFailure] = []

    /// A failure that made its test fail.
    struct TestFailure: Located {
        var test: String
        /// `nil` if the framework does not know it.
        var file: String?
        var line: Int?
        /// The first line of the message.
        var message: String
        var isXCTest: Bool
    }

    /// - Parameter events: The events of Swift Testing; empty where there are none, and the output is all that is known.
    init(_ output: [UInt8], events: [UInt8] = []) {
        let text = String(decoding: output, as: UTF8.self)
        began = Set(text.matches(of: "^Test Case '(.+?)' started|^\\[\\d+/\\d+\\] Testing (\\S+)").map(Self.xctest))
        ended = Set(text.matches(of: "^Test Case '(.+?)' (?:passed|failed|skipped)").map(Self.xctest))
        // An error that ends an XCTest on Linux has no place.
        let failure = "^(?:<EXPR>:0|(.+?):(\\d+)): error: (-\\[.+?\\]|\\S+) : (.*)"
        for parts in text.matches(of: failure) {
            add(Self.xctest([parts[2]]), parts[0].isEmpty ? nil : parts[0], Int(parts[1]), parts[3], isXCTest: true)
        }
        guard events.isEmpty else {
            for line in events.split(separator: UInt8(ascii: "\n")) { add(event: line) }
            return
        }
        began.formUnion(text.matches(of: "^\\S Test (?!run )(.+) started\\.").map { $0[0] })
        let end = "^\\S Test (?!run )(.+?)(?: with .+)? (?:passed after|failed after|skipped)"
        ended.formUnion(text.matches(of: end).map { $0[0] })
        let issue = "^\\S Test (.+?) recorded an issue(?: with .+)? at (.+?):(\\d+):\\d+: (.*)"
        for parts in text.matches(of: issue) { add(parts[0], parts[1], Int(parts[2]), parts[3], isXCTest: false) }
    }

    private mutating func add(_ test: String, _ file: String?, _ line: Int?, _ message: String, isXCTest: Bool) {
        // XCTest's line ends in a dash where the test adds nothing.
        let message = message.hasSuffix(" - ") ? String(message.dropLast(3)) : message
        failures.append(TestFailure(test: test, file: file, line: line, message: message, isXCTest: isXCTest))
    }

    /// The name of an XCTest in one of the forms that its output has: `Module.Class/test`, `Class.test`, `-[Module.Class test]`.
    private static func xctest(_ parts: [String]) -> String {
        let name = parts.last { !$0.isEmpty } ?? ""
        let words = name.split { "-[]/. ".contains($0) }
        return words.suffix(2).joined(separator: ".")
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
            let message = (event["messages"] as? [[String: Any]])?.first?["text"] as? String
            add(test, place?["_filePath"] as? String, place?["line"] as? Int, message ?? "", isXCTest: false)
        default: break
        }
    }

    // MARK: - Judging

    /// `true` if one of these tests failed, flaked, or began and did not end; `nil` if none of them began.
    func isBad(_ tests: Set<String>, _ report: Report) -> Bool? {
        let flaked = report.retries.map { test in
            test.name.hasPrefix("-[")
                ? Self.xctest([test.name]) : TestName(suite: "", name: test.name).withoutArguments.name
        }
        guard !tests.isDisjoint(with: began) else { return nil }
        return !tests.isDisjoint(with: began.subtracting(ended).union(failures.map(\.test)).union(flaked))
    }
}

// MARK: - Suggested marks

/// A mark for a line that failed without one in some runs and passed in others.
struct SuggestedMark: Located {
    let file: String?
    let line: Int?
    let test: String
    /// The runs in which it failed, of all.
    private(set) var tally: Tally
    private let isXCTest: Bool
    private var messages: [String]

    /// The marks for these runs, the most frequent first.
    static func suggestions(for runs: [[TestOutput.TestFailure]], in folder: String) -> [SuggestedMark] {
        var marks: [String: SuggestedMark] = [:]
        for failures in runs {
            for (key, same) in Dictionary(grouping: failures, by: { $0.place ?? $0.test }) {
                marks[key, default: SuggestedMark(same[0], folder, of: runs.count)].add(same[0].message)
            }
        }
        return marks.values.filter { $0.tally.bad < runs.count }.sorted {
            ($1.tally.bad, $0.name) < ($0.tally.bad, $1.name)
        }
    }

    private init(_ failure: TestOutput.TestFailure, _ folder: String, of runs: Int) {
        file = failure.file.map { FilePath($0).relative(to: folder) }
        (line, test, isXCTest, messages) = (failure.line, failure.test, failure.isXCTest, [])
        tally = Tally(runs: runs)
    }

    private mutating func add(_ message: String) {
        tally.bad += 1
        messages.append(message)
    }

    private var name: String { place ?? test }

    /// The part that all messages begin with. One message alone does not show what changes in it: numbers are left out.
    private var common: String {
        var common = messages.dropFirst().reduce(messages[0]) { $0.commonPrefix(with: $1) }
        if messages.count == 1 { common = String(common.prefix { !$0.isNumber }) }
        if common != messages[0], let end = common.lastIndex(of: " ") { common = String(common[..<end]) }
        return String(common.prefix(80))
    }

    /// The mark to paste.
    var mark: String {
        let text = common.escapingControlCharacters.replacing(["\"": "\\\"", "\\": "\\\\"])
        return "flaky(.fixable(reason: \"…\"" + (text.isEmpty ? "" : ", matching: \"\(text)\"") + ")) { … }"
    }

    /// The line that failed, how often, and its last message.
    var sentence: String {
        let message = messages.last.map { $0.isEmpty ? "" : ": \($0.cut(to: 300))" } ?? ""
        return "\(name) failed in \(tally.bad) of \(tally.runs.of("run")) (\(tally.interval.text))\(message)"
    }

    /// The advice to paste the mark.
    var advice: String {
        let home = isXCTest ? "a class that inherits from RetryableTestCase" : "a @Test(.retryable)"
        return "to contain it, in \(home): try \(mark)"
    }

    /// Both lines of each of these, for a terminal.
    static func text(of marks: [SuggestedMark]) -> String {
        marks.map { "\n\($0.sentence.onOneLine)\n\($0.advice.onOneLine)\n" }.joined()
    }
}

extension String {
    /// The groups of each match of an expression, whose `^` is the beginning of a line.
    func matches(of pattern: String) -> [[String]] {
        // The patterns are literals, and tests use each.
        guard let expression = try? NSRegularExpression(pattern: pattern, options: .anchorsMatchLines) else {
            return []
        }
        return expression.matches(in: self, range: NSRange(startIndex..., in: self)).map { match in
            (1..<match.numberOfRanges).map { Range(match.range(at: $0), in: self).map { String(self[$0]) } ?? "" }
        }
    }
}
