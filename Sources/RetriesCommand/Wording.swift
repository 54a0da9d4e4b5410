import Foundation
import Groundwork
import RetryReport

extension FlakyTest {
    /// The outcome, in one word for the head of a line.
    var label: String {
        switch outcome {
        case .recovered: "FLAKY"
        case .failed: "FAILED"
        case .pending: "PENDING"
        case nil: "UNKNOWN"
        }
    }

    /// The outcome, in one character.
    var symbol: String {
        switch outcome {
        case .recovered, nil: "⚠️"
        case .failed: "❌"
        case .pending: "⏳"
        }
    }

    /// `true` if it failed, or if its process ended before a retry.
    var isBad: Bool { outcome == .failed || outcome == .pending }

    /// The attempts to show: the one that the test failed in, and the first that flaked.
    var shownAttempts: [AttemptRecord] {
        let attempts = attempts.filter { !$0.failures.isEmpty }
        let main = attempts.filter { $0.outcome == .failed || $0.outcome == .skipped }.prefix(1)
        return main + attempts.prefix(1).filter { $0.number != main.first?.number }
    }

    /// The failure that a test failed with; of any other test, its first.
    var mainFailure: Failure? { shownAttempts.first?.mainFailure }

    /// The details in lines: the mark, the run, the failures to show, and the load of the machine.
    ///
    /// - Parameters:
    ///   - length: The greatest length of the reason and of a message, so that the mark and the place follow in any case.
    ///   - place: The place of something as the end of a sentence.
    func details(cutTo length: Int = 1000, place: (any Located) -> String = { $0.atPlace }) -> [String] {
        let mark = isUnmarked ? nil : "reason: \(reason.cut(to: length)) (\(markName))\(place(self))"
        let run = (shard ?? run).map { "run: \($0)" }
        let failures = shownAttempts.map { attempt in
            attempt.mainFailure.map { failure in
                "attempt \(attempt.number): \(failure.displayMessage.cut(to: length))\(place(failure))"
            }
        }
        return ([mark, run] + failures + [busyMachine]).compactMap(\.self)
    }

    /// The state of the machine at the first flake on a busy machine; `nil` if there was none.
    var busyMachine: String? {
        let loads = attempts.lazy.filter { $0.outcome == .flaked }.compactMap(\.machine)
        return loads.compactMap { $0.cause() }.first.map { "flaked \($0)" }
    }

    /// The seconds that all attempts took.
    var duration: Double { attempts.reduce(0) { $0 + $1.duration } }

    /// The seconds that its retries took.
    var timeLost: Double { attempts.dropFirst().reduce(0) { $0 + $1.duration } }
}

extension Report {
    /// The steps, failed ones first.
    var worstStepsFirst: [Step] { steps.filter { !$0.succeeded } + steps.filter(\.succeeded) }
}

extension Step {
    /// A sentence such as `sign in: succeeded after 2 retries in 1.5 s, in ShopTests -[CartTests testAdds]`.
    var sentence: String {
        let ending = "\(succeeded ? "succeeded" : "failed") after \(retries.of("retry", "retries"))"
        return "\(action): \(ending) in \(Durations.text(duration)), in \(fullName)"
    }
}

// MARK: - Text

extension String {
    /// This text on one line, harmless to a terminal and to a CI's reader of logs.
    ///
    /// Control characters are shown as Swift writes them, and `##[` is broken up.
    var onOneLine: String {
        let text = escapingControlCharacters
        guard text.contains("##") else { return text }
        return text.replacingOccurrences(of: "(?<=#)#", with: "\\\\#", options: .regularExpression)
    }

    /// Cuts the middle out of a longer text. In a failure's message, the test's own words come last.
    func cutInTheMiddle(to length: Int) -> String {
        guard unicodeScalars.count > length else { return self }
        return "\(String(unicodeScalars.prefix(length / 2))) … \(String(unicodeScalars.suffix(length / 2)))"
    }

    /// This text as one word for a shell.
    var shellWord: String {
        let isPlain = range(of: "^[A-Za-z0-9_./:=,@%+-]+$", options: .regularExpression) != nil
        return isPlain ? self : "'\(replacingOccurrences(of: "'", with: "'\\''"))'"
    }

    /// This text with each character of the table replaced.
    func replacing(_ table: [Unicode.Scalar: String]) -> String {
        substituting { table[$0] }
    }
}

extension [String] {
    /// The first five of these, and the number of the others.
    var firstFew: String {
        let shown = prefix(5).joined(separator: ", ")
        return count > 5 ? "\(shown) and \(count - 5) more" : shown
    }
}
