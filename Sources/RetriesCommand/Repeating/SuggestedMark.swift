import Foundation
import Groundwork

/// A suggested mark for a line without one, which failed in some runs and passed in others; encoded as JSON.
struct SuggestedMark: Encodable {
    let place: String?
    let test: String
    /// `nil` if no section can hold it.
    let mark: String?
    let runs: Int
    /// The runs in which the line failed.
    let bad: Int
    /// The line that failed, how often, and its last message.
    let sentence: String
    let advice: String

    /// The failures of a run, or those of one line in it.
    typealias Run = (condition: Condition?, failures: [TestOutput.TestFailure])

    /// The marks for the failures of these runs, the most frequent first. They are to hold under `conditions`.
    static func suggestions(for runs: [Run], under conditions: [Condition?]) -> [SuggestedMark] {
        // Only the first crashes of a test have a backtrace, and so a reason, and perhaps a place.
        let crashes = runs.flatMap(\.failures).filter { $0.isCrash && ($0.file != nil || !$0.message.isEmpty) }
        let explained = Dictionary(grouping: crashes, by: \.test).mapValues { $0.first { $0.file != nil } ?? $0[0] }
        var lines: [String: [Run]] = [:]
        for run in runs {
            let failures = run.failures.map { $0.isCrash && $0.file == nil ? explained[$0.test] ?? $0 : $0 }
            for (line, failures) in Dictionary(grouping: failures, by: { $0.place ?? $0.test }) {
                lines[line, default: []].append((run.condition, failures))
            }
        }
        return lines.values.filter { $0.count < runs.count }.map { bad in
            // A retry passes only if no other line of its test fails.
            let tests = Set(bad.flatMap(\.failures).map(\.test))
            let tallies = conditions.flatMap { condition in
                let under = runs.filter { $0.condition == condition }
                return tests.map { test in
                    (condition, Tally(runs: under.count, bad: under.count { $0.failures.contains { $0.test == test } }))
                }
            }
            let worst = tallies.max { $0.1.rate < $1.1.rate }
            return SuggestedMark(bad.map(\.failures), of: runs.count, worst: worst)
        }
        .sorted { ($1.bad, $0.place ?? $0.test) < ($0.bad, $1.place ?? $1.test) }
    }

    private init(_ failures: [[TestOutput.TestFailure]], of runs: Int, worst: (condition: Condition?, tally: Tally)?) {
        let first = failures[0][0]
        (test, place) = (first.test, first.place)
        (self.runs, bad) = (runs, failures.count)
        let message = failures.last.map { $0[0].message.isEmpty ? "" : ": \($0[0].message.cut(to: 300))" } ?? ""
        let left = failures.joined().first { $0.isLeftBehind }
        let isHang = first.isCrash && message.isEmpty && left == nil
        let verb = !first.isCrash ? "failed" : isHang ? "did not end" : "crashed"
        let interval = ConfidenceInterval(bad, of: runs).text
        sentence = "\(place ?? test) \(verb) in \(bad) of \(runs.of("run")) (\(interval))\(message)"
        let text = first.isCrash ? "" : Self.text(sharedBy: Set(failures.joined().map(\.message)))
        let quoted = text.replacing(["\"": "\\\"", "\\": "\\\\"]).escapingControlCharacters
        let matching = quoted.isEmpty ? "" : ", matching: \"\(quoted)\""
        var (aim, retries) = ("to contain it", 1)
        if let (condition, tally) = worst, tally.rate > 0.5 {
            let circumstance = condition.map { "under \($0.rawValue)" } ?? "as is"
            aim = "no mark holds what fails in \(tally.text) runs \(circumstance); to contain it elsewhere"
        } else if let rate = worst?.tally.rate, rate > 0 {
            // With so many, all of twenty runs pass in 95 of 100 cases.
            retries = max(1, Int((log(1 / 400) / log(rate)).rounded(.up)) - 1)
        }
        let kind = retries > 1 ? "notFixable(reason: \"…\", maxRetryCount: \(retries)" : "fixable(reason: \"…\""
        let section = "flaky(.\(kind)\(matching))) { … }"
        mark = left == nil ? section : nil
        let home = first.isXCTest ? "a class that inherits from RetryableTestCase" : "a @Suite(.retryable)"
        let setting = message.isEmpty ? "RETRYABLE_TIME_LIMIT=…" : "RETRYABLE_SUPERVISE=1"
        let leaving = left.map { "let \($0.test) wait for the task or thread that crashes, which it leaves behind" }
        let crash = "run with \(setting) (on Linux), and put the part of \(test) that crashes or hangs into \(section)"
        advice = leaving ?? (first.isCrash ? "\(aim), \(crash)" : "\(aim), in \(home), put it into \(section)")
    }

    /// The longest text that all messages share, in whole words, without what may be another tomorrow: numbers, times,
    /// addresses, paths, and the ends and indentation of lines. Empty if that says too little.
    private static func text(sharedBy messages: Set<String>) -> String {
        let message = messages.min() ?? ""
        var (words, longest) = (message.split(whereSeparator: \.isWhitespace)[...], "")
        for end in words.map(\.endIndex) {
            while let start = words.first?.startIndex, start < end {
                let text = String(message[start..<end])
                let isLasting = text.count <= 80 && !text.contains { $0.isNumber || $0 == "/" || $0.isNewline }
                if isLasting, messages.allSatisfy({ $0.contains(text) }) {
                    if text.count > longest.count { longest = text }
                    break
                }
                words.removeFirst()
            }
        }
        return longest.count(where: \.isLetter) < 4 ? "" : longest
    }
}
