import RetryReport

extension Retry {
    /// The attempts that were made.
    var attemptCount: Int { attemptedRetries.sane + 1 }
    /// The attempts that the mark allows.
    var allowedAttempts: Int { maxRetriesAllowed.sane + 1 }

    /// The name, with the module where there is one.
    var fullName: String {
        module.map { "\($0) \(name)" } ?? name
    }

    var markName: String { fixable ? "fixable" : "not fixable" }

    var place: String? { Place.text(file, line) }

    /// How it ended, in one word, with attempts made and allowed.
    var verdict: String { "\(outcomeWord) \(attemptCount)/\(allowedAttempts)" }

    private var outcomeWord: String {
        switch outcome {
        case .recovered: "FLAKY"
        case .failed: "FAILED"
        case .pending: "PENDING"
        case nil: "RETRIED"
        }
    }

    /// How it ended, as part of a sentence.
    var ending: String {
        switch outcome {
        case .recovered: "recovered in attempt \(attemptCount) of \(allowedAttempts)"
        case .failed: "failed in attempt \(attemptCount) of \(allowedAttempts)"
        case .pending: "was still to be retried when its process ended"
        case nil: "was retried \(attemptedRetries.sane.of("time")), and it is not known how it ended"
        }
    }

    /// What failed first, with the attempt it failed in; what only followed from it comes last.
    var firstFailure: (attempt: Int, failure: Failure)? {
        let failures = attempts.lazy.flatMap { attempt in attempt.failures.map { (attempt.number, $0) } }
        return failures.first { !$0.1.isAftermath } ?? failures.first
    }

    /// What the test failed with in the end; `nil` if it did not fail, or only once.
    var finalFailure: (attempt: Int, failure: Failure)? {
        guard outcome == .failed, let last = attempts.last, last.number != firstFailure?.attempt else { return nil }
        return (last.failures.first { !$0.isAftermath } ?? last.failures.first).map { (last.number, $0) }
    }

    /// All attempts together, in seconds.
    var duration: Double { attempts.reduce(0) { $0 + $1.duration } }
}

extension Report {
    /// The retries, those that ended worst first.
    var worstFirst: [Retry] {
        let order: [Retry.Outcome?] = [.failed, .pending, nil, .recovered]
        return order.flatMap { outcome in retries.filter { $0.outcome == outcome } }
    }
}

extension Failure {
    /// The message. XCTest ends one to which the test adds nothing with a dash; that is left out.
    var words: String {
        message.hasSuffix(" - ") ? String(message.dropLast(3)) : message
    }

    var place: String? { Place.text(file, line) }
}

extension Step {
    var fullName: String {
        module.map { "\($0) \(test)" } ?? test
    }

    var place: String? { Place.text(file, line) }
}

/// A file and a line as every tool writes them.
enum Place {
    static func text(_ file: String?, _ line: Int?) -> String? {
        file.map { file in line.map { "\(file):\($0)" } ?? file }
    }
}
