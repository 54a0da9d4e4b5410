import Foundation
import Groundwork
import RetryReport

extension FlakyTest {
    /// The name, with the module where there is one.
    var fullName: String {
        module.map { "\($0) \(name)" } ?? name
    }

    /// How it ended, in one word for the head of a line.
    var label: String {
        switch outcome {
        case .recovered: "FLAKY"
        case .failed: "FAILED"
        case .pending: "PENDING"
        case nil: "RETRIED"
        }
    }

    /// Whether it failed, or was never seen to pass.
    var isBad: Bool { outcome == .failed || outcome == .pending }

    /// What failed first, with the attempt it failed in; what only followed from it comes last.
    var firstFailure: (attempt: Int, failure: Failure)? {
        let failures = attempts.lazy.flatMap { attempt in attempt.failures.map { (attempt.number, $0) } }
        return failures.first { !$0.1.isAftermath } ?? failures.first
    }

    /// What the test failed with in the end; `nil` if it did not fail, or only once.
    var finalFailure: (attempt: Int, failure: Failure)? {
        guard outcome == .failed, let last = attempts.last, last.number != firstFailure?.attempt else { return nil }
        return last.mainFailure.map { (last.number, $0) }
    }

    /// All attempts together, in seconds.
    var duration: Double { attempts.reduce(0) { $0 + $1.duration } }

    /// The seconds that its retries took.
    var timeLost: Double { attempts.dropFirst().reduce(0) { $0 + max(0, $1.duration) } }
}

extension AttemptRecord {
    /// What it failed with; what only followed from an earlier failure, if there is nothing else.
    var mainFailure: Failure? { failures.first { !$0.isAftermath } ?? failures.first }
}

extension Report {
    /// The retries, those that ended worst first.
    var worstFirst: [FlakyTest] { retries.worstFirst }

    /// The steps, those that failed first.
    var worstStepsFirst: [Step] { steps.filter { !$0.succeeded } + steps.filter(\.succeeded) }
}

extension Step {
    var fullName: String {
        module.map { "\($0) \(test)" } ?? test
    }

    /// How it ended, and what it took.
    var ending: String { "\(succeeded ? "succeeded" : "failed") after \(retries.of("retry", "retries"))" }
}

/// What is at a line of the source.
protocol Located {
    var file: String? { get }
    var line: Int? { get }
}

extension Located {
    /// The file and the line as every tool writes them.
    var place: String? {
        file.map { file in line.map { "\(file):\($0)" } ?? file }
    }

    /// The place as the end of a sentence: `, at Tests/Login.swift:12`; empty if it is not known.
    var atPlace: String { place.map { ", at \($0)" } ?? "" }
}

extension FlakyTest: Located {}
extension Failure: Located {}
extension Step: Located {}

extension String {
    /// This text on one line, with nothing in it that a terminal or a CI's reader of logs takes for its own: control
    /// characters are shown as Swift writes them, and `##[` is broken up.
    var onOneLine: String {
        let text = escapingControlCharacters
        guard text.contains("##") else { return text }
        return text.replacingOccurrences(of: "(?<=#)#", with: "\\\\#", options: .regularExpression)
    }

    /// This text with each of these characters written as what stands beside it.
    func writing(_ table: [Unicode.Scalar: String]) -> String {
        substituting { table[$0] }
    }

    /// The beginning of this text, with what was left out counted.
    func cut(to length: Int) -> String {
        guard unicodeScalars.count > length else { return self }
        var start = String(String.UnicodeScalarView(unicodeScalars.prefix(length)))
        start += "… (\((unicodeScalars.count - length).of("character")) more)"
        return start
    }
}

extension [String] {
    /// The first few of these, and how many there are besides.
    var firstFew: String {
        let shown = prefix(5).joined(separator: ", ")
        return count > 5 ? "\(shown) and \(count - 5) more" : shown
    }
}
