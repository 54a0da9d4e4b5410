import Foundation
import Groundwork

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
        // Only the first crash of a test has a backtrace, and so a place.
        let placed = Dictionary(grouping: runs.joined().filter { $0.isCrash && $0.file != nil }, by: \.test)
        // The failures of each line in each run.
        let failures = runs.flatMap { run in
            Dictionary(grouping: run.map { $0.isCrash ? placed[$0.test]?[0] ?? $0 : $0 }) { $0.place ?? $0.test }
        }
        return Dictionary(grouping: failures, by: \.key).values.filter { $0.count < runs.count }
            .map { SuggestedMark($0.map(\.value), in: folder, of: runs.count) }
            .sorted { ($1.bad, $0.place ?? $0.test) < ($0.bad, $1.place ?? $1.test) }
    }

    private init(_ failures: [[TestOutput.TestFailure]], in folder: String, of runs: Int) {
        let first = failures[0][0]
        test = first.test
        place = SourcePlace(file: first.file.map { FilePath($0).relative(to: folder) }, line: first.line).place
        (self.runs, bad) = (runs, failures.count)
        let message = failures.last.map { $0[0].message.isEmpty ? "" : ": \($0[0].message.cut(to: 300))" } ?? ""
        let verb = !first.isCrash ? "failed" : message.isEmpty ? "did not end" : "crashed"
        let interval = ConfidenceInterval(bad, of: runs).text
        sentence = "\(place ?? test) \(verb) in \(bad) of \(runs.of("run")) (\(interval))\(message)"
        let text = first.isCrash ? "" : Self.text(sharedBy: Set(failures.joined().map(\.message)))
        let quoted = text.replacing(["\"": "\\\"", "\\": "\\\\"]).escapingControlCharacters
        mark = "flaky(.fixable(reason: \"…\"" + (quoted.isEmpty ? "" : ", matching: \"\(quoted)\"") + ")) { … }"
        let home = first.isXCTest ? "a class that inherits from RetryableTestCase" : "a @Suite(.retryable)"
        let setting = message.isEmpty ? "RETRYABLE_TIME_LIMIT=…" : "RETRYABLE_SUPERVISE=1"
        advice =
            first.isCrash
            ? "to contain it, run with \(setting) (XCTest on Linux), and put the part of \(test) that does it into \(mark)"
            : "to contain it, in \(home), put it into \(mark)"
    }

    /// The longest text that all messages share, in whole words, without what may be another tomorrow: numbers, times,
    /// addresses and paths. Empty if that says too little.
    private static func text(sharedBy messages: Set<String>) -> String {
        let message = messages.min() ?? ""
        var (words, longest) = (message.split(whereSeparator: \.isWhitespace)[...], "")
        for end in words.map(\.endIndex) {
            while let start = words.first?.startIndex, start < end {
                let text = String(message[start..<end])
                let isLasting = text.count <= 80 && !text.contains { $0.isNumber || $0 == "/" }
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
