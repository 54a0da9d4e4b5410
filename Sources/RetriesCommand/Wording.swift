import Foundation
import Groundwork
import RetryReport

extension TestRecord {
    /// The outcome as one word, for the head of a line, and as one character.
    var look: (label: String, symbol: String) {
        switch outcome {
        case .recovered: ("FLAKY", "⚠️")
        case .failed: ("FAILED", "❌")
        case .pending: ("PENDING", "⏳")
        case nil: ("UNKNOWN", "⚠️")
        }
    }

    var isBad: Bool { outcome == .failed || outcome == .pending }

    /// The run that it is of, or the file of that run, where a report holds several.
    var runName: String? { shard ?? run }

    /// The attempts to show: the one that the test failed in, and the first that flaked.
    var shownAttempts: [AttemptRecord] {
        let attempts = attempts.filter { !$0.failures.isEmpty }
        let main = attempts.filter { $0.outcome == .failed || $0.outcome == .skipped }.prefix(1)
        return main + attempts.prefix(1).filter { $0.number != main.first?.number }
    }

    /// The failure that a test failed with; of any other test, its first.
    var mainFailure: Failure? { shownAttempts.first?.mainFailure }

    /// The details in lines: the mark, the owner, the run, the failures to show, and the load of the machine.
    ///
    /// - Parameter length: The greatest length of the reason and of a message, so that the mark and the place always follow.
    func details(cutTo length: Int = 1000, place: (any Located) -> String = { $0.atPlace }) -> [String] {
        let words = isUnmarked ? nil : "reason: \(mark.reason.cut(to: length)) (\(mark.kind))\(place(self))"
        let run = runName.map { "run: \($0)" }
        let owner = owners.isEmpty ? nil : "owner: \(owners.firstFew.cut(to: length))"
        let failures = shownAttempts.map { attempt in
            attempt.mainFailure.map { failure in
                "attempt \(attempt.number): \(failure.displayMessage.cut(to: length))\(place(failure))"
            }
        }
        return ([words, owner, run] + failures + [busyMachine, shownSeed?.limit]).compactMap(\.self)
    }

    /// The state of the machine at the first flake on a busy machine; `nil` if there was none.
    var busyMachine: String? {
        flakedAttempts.lazy.compactMap { $0.machine?.cause() }.first.map { "flaked \($0)" }
    }

    /// The seed of the first attempt to show, with which the test fails again.
    var shownSeed: TaskSeed? { shownAttempts.first?.taskSeed }

    var duration: Double { attempts.reduce(0) { $0 + $1.duration } }

    /// The seconds that its retries took.
    var timeLost: Double { attempts.dropFirst().reduce(0) { $0 + $1.duration } }
}

extension Flakiness {
    /// The days since the one until when somebody wanted to have fixed the flake; `nil` if it is not overdue.
    func daysOverdue(on today: Day) -> Int? {
        until.flatMap(Day.init).flatMap { $0 < today ? today.number - $0.number : nil }
    }

    /// A text such as `fixable, overdue for 12 days`, or `fixable, until 2027-01-31` if it is not overdue.
    ///
    /// - Parameter today: The day to compare with; `nil` for a mark that is gone.
    func kind(on today: Day?) -> String {
        guard let until, Day(until) != nil else { return kind }
        let days = today.flatMap(daysOverdue)
        return "\(kind), \(days.map { "overdue for \($0.of("day"))" } ?? "until \(until)")"
    }
}

extension Report {
    /// Whether it was merged from no report.
    var isOfNoRun: Bool { run == nil && tests.isEmpty && marks?.isEmpty == true }

    /// Whether a test that recovered made the run fail all the same.
    var failsOnFlaky: Bool { run?.settings[EnvironmentVariable.failOnFlaky.rawValue] == "1" }

    var worstStepsFirst: [Step] { steps.filter { !$0.succeeded } + steps.filter(\.succeeded) }
}

extension Step {
    /// A sentence such as `sign in: succeeded after 2 retries in 1.5 s, in ShopTests -[CartTests testAdds]`.
    var sentence: String {
        let ending = "\(succeeded ? "succeeded" : "failed") after \(retries.of("retry", "retries"))"
        return "\(action): \(ending) in \(Durations.text(duration)), in \(fullName)"
    }
}

extension String {
    /// This text on one line, in which neither a terminal nor a CI finds a command.
    ///
    /// Control characters are shown as Swift writes them, and `##[` is broken up.
    var onOneLine: String {
        let text = escapingControlCharacters
        guard text.contains("##") else { return text }
        return text.replacingOccurrences(of: "(?<=#)#", with: "\\\\#", options: .regularExpression)
    }

    /// This text as the beginning of a line: GitHub takes two colons there for a command, even after spaces.
    var atLineStart: String {
        unicodeScalars.drop { $0.properties.isWhitespace }.starts(with: "::".unicodeScalars) ? "\\\(self)" : self
    }

    /// This text with each address in it shown by one function, and the rest by another.
    func linked(_ link: (String) -> String, rest: (String) -> String) -> String {
        var (linked, position) = ("", startIndex)
        while let range = range(of: Self.address, options: .regularExpression, range: position..<endIndex) {
            linked += rest(String(self[position..<range.lowerBound])) + link(String(self[range]))
            position = range.upperBound
        }
        return linked + rest(String(self[position...]))
    }

    /// An address of a page: no other scheme, no user's name, no punctuation at its end, and nothing that ``cut(to:)`` has cut.
    private static let address =
        #"(?<![A-Za-z0-9])(?>https://(?![^/?#\s]*@)[A-Za-z0-9][A-Za-z0-9._~:/?#@&+,;=%()-]*(?<![.:?&+,;%()-]))(?![.:?&+,;%()-]*…)"#

    /// Cuts the middle out of a longer text. In a failure's message, the test's own words come last.
    func cutInTheMiddle(to length: Int) -> String {
        guard unicodeScalars.count > length else { return self }
        return "\(String(unicodeScalars.prefix(length / 2))) … \(String(unicodeScalars.suffix(length / 2)))"
    }

    var shellWord: String {
        let isPlain = range(of: "^[A-Za-z0-9_./:=,@%+-]+\\z", options: .regularExpression) != nil
        return isPlain ? self : "'\(replacingOccurrences(of: "'", with: "'\\''"))'"
    }

    func replacing(_ table: [Unicode.Scalar: String]) -> String {
        substituting { table[$0] }
    }
}
