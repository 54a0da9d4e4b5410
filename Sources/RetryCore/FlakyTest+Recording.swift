import RetryReport

extension FlakyTest {
    init(of test: TestName) {
        self.init(name: test.name, module: test.module, maxRetriesAllowed: 0, reason: "", fixable: false)
    }

    /// Takes over what the mark of a section says: the one that flaked last.
    mutating func take(_ section: Section, file: String) {
        maxRetriesAllowed = section.mark.maxRetryCount
        reason = section.mark.reason
        fixable = section.mark.isFixable
        matching = section.mark.matching
        self.file = file
        line = section.place.line
    }

    mutating func add(_ attempt: AttemptRecord) {
        var attempt = attempt
        // Attempts with the same failures share one array, because there may be thousands of attempts.
        if let last = attempts.last, last.failures == attempt.failures { attempt.failures = last.failures }
        if let last = attempts.last, last.number == attempt.number, last.startedAt == attempt.startedAt {
            attempts[attempts.count - 1] = attempt
        } else {
            attempts.append(attempt)
            attemptedRetries = max(attemptedRetries, attempt.number - 1)
        }
        // A test that is in a run twice has failed if it failed once.
        if outcome != .failed { outcome = attempt.outcome.ofTest }
    }
}

extension AttemptRecord.Outcome {
    /// The test's outcome after an attempt that ended like this, if the test has flaked at least once.
    fileprivate var ofTest: FlakyTest.Outcome {
        switch self {
        case .flaked: .pending
        case .passed: .recovered
        case .failed, .skipped: .failed
        }
    }
}

extension TestName {
    init(of retry: FlakyTest) {
        self.init(retry.name, module: retry.module ?? "")
    }
}
