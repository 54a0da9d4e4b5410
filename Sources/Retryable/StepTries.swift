import Groundwork

/// The state of the tries of one step, and the texts about them. It runs nothing.
struct StepTries {
    /// What the step does, in its author's words.
    let action: String
    private let allowedRetries: Int
    /// How often the step was tried again.
    private(set) var retries = 0
    private var lastError: (tryNumber: Int, text: String)?
    /// Whether its task was cancelled, so that no other try follows.
    var wasCancelled = false

    /// - Parameters:
    ///   - action: What the step does; `nil` if its author did not say.
    ///   - allowedRetries: How often it may be tried again; a negative number counts as none.
    init(_ action: String?, allowedRetries: Int) {
        self.action = action ?? "Action"
        self.allowedRetries = max(0, allowedRetries)
    }

    /// Notes that the current try threw.
    mutating func note(_ error: any Error) {
        lastError = (retries + 1, "\(error)")
    }

    /// Whether another try is left.
    var hasNext: Bool { retries < allowedRetries }

    /// Goes on to the next try after one without success.
    ///
    /// - Returns: Whether there is one.
    mutating func next() -> Bool {
        guard hasNext else { return false }
        retries += 1
        return true
    }
}

// MARK: - Texts

extension StepTries {
    /// A moment that gets a line in the log.
    enum Moment {
        /// A try had no success.
        case unsuccessful
        /// The reset steps are about to run, for the current retry.
        case reset
        /// The action is about to run again.
        case action
        /// The condition is about to be asked again.
        case condition
        /// A retry had success.
        case succeeded
        /// No try had.
        case failed(failsTest: Bool)
    }

    /// The line for a moment. The number in brackets is that of the retry, 0 for the first try. The flags and symbols
    /// are those of TargetedAutoRetry, so that scripts that search for them go on working.
    func line(at moment: Moment) -> String {
        switch moment {
        case .unsuccessful:
            let tries = "Number of attempts: \(retries + 1). Attempts remaining: \(remaining)."
            let next = remaining > 0 ? "Retrying." : "No more retries will be attempted."
            let error = lastError.map { $0.tryNumber == retries + 1 ? " Error: \($0.text)" : "" } ?? ""
            return "♻️♻️♻️ [RETRY INFO: \(retries)] \(action) Attempt Unsuccessful. \(tries) \(next)\(error)"
        case .reset:
            return "♻️♻️♻️⏪ [RESET STEPS: \(retries)] Run Reset Steps to Retry action: \(action)."
        case .action:
            return "♻️♻️♻️▶️ [NEW RETRY ACTION: \(retries)] \(action). \(retryCounts)"
        case .condition:
            let wait = "Wait for Success Condition for action: \(action)."
            return "♻️♻️♻️⏱ [SUCCESS CONDITION: \(retries)] \(wait) \(retryCounts)"
        case .succeeded:
            return "♻️♻️♻️ \(action) required \(retries.of("retry attempt")) before success."
        case .failed(let failsTest):
            let times = "Auto Retry failed \(retries.of("time")) for action: \(action)."
            let end = failsTest ? "Failing test." : "Moving on to the next step without failing the test."
            return "♻️♻️♻️❌ [FAIL] \(times) No more retries will be attempted. \(end)"
        }
    }

    /// What the test fails with when no try had success.
    var failure: String {
        let tries = (retries + 1).of("try", "tries")
        let cancelled = wasCancelled ? ", and its task was cancelled" : ""
        let error = lastError.map { "; last error, thrown by try \($0.tryNumber): \($0.text)" } ?? ""
        return "autoRetry: \(action) did not succeed in \(tries)\(cancelled)\(error)".escapingControlCharacters
    }

    /// What the test fails with if `retryAttempts` is negative; else `nil`.
    static func mistake(retryAttempts: Int) -> String? {
        retryAttempts < 0 ? "autoRetry: retryAttempts is \(retryAttempts); allowed is 0 or more" : nil
    }

    private var remaining: Int { allowedRetries - retries }

    private var retryCounts: String { "Retry attempt: \(retries). Attempts remaining: \(remaining)." }
}
