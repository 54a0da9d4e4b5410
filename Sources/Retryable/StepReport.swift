import Foundation
import Groundwork
import RetryCore
import XCTest

/// The tries of one step, counted and put into words. It runs nothing.
struct StepTries {
    /// The step's name, in its author's words.
    let action: String
    private let allowedRetries: Int
    private(set) var retries = 0
    /// The error that ended a try last.
    var lastError: (tryNumber: Int, text: String)?
    /// `true` once the step's task is cancelled: no other try follows.
    var wasCancelled = false

    init(_ action: String?, allowedRetries: Int) {
        self.action = action ?? "Action"
        self.allowedRetries = allowedRetries
    }

    var isRetry: Bool { retries > 0 }

    var hasNext: Bool { retries < allowedRetries && !wasCancelled }

    /// Counts the next try, if there is one, and returns `false` if there is none.
    mutating func beginRetry() -> Bool {
        guard hasNext else { return false }
        retries += 1
        return true
    }
}

// MARK: - Texts

extension StepTries {
    /// A moment of a step that gets a line in the log.
    enum Moment {
        case unsuccessful, reset, action, condition, succeeded
        case failed(failsTest: Bool)
    }

    /// Returns the log's line for a moment.
    ///
    /// The number in brackets counts retries; it is 0 for the first try. The flags and symbols are those of eBay's
    /// TargetedAutoRetry, because scripts search for them.
    func line(at moment: Moment) -> String {
        let counts = "Retry attempt: \(retries). Attempts remaining: \(remaining)."
        switch moment {
        case .unsuccessful:
            let tries = "Number of attempts: \(retries + 1). Attempts remaining: \(remaining)."
            let next = remaining > 0 ? "Retrying." : "No more retries will be attempted."
            let error = lastError.map { $0.tryNumber == retries + 1 ? " Error: \($0.text)" : "" } ?? ""
            return "♻️♻️♻️ [RETRY INFO: \(retries)] \(action) Attempt Unsuccessful. \(tries) \(next)\(error)"
        case .reset:
            return "♻️♻️♻️⏪ [RESET STEPS: \(retries)] Run Reset Steps to Retry action: \(action)."
        case .action:
            return "♻️♻️♻️▶️ [NEW RETRY ACTION: \(retries)] \(action). \(counts)"
        case .condition:
            let wait = "Wait for Success Condition for action: \(action)."
            return "♻️♻️♻️⏱ [SUCCESS CONDITION: \(retries)] \(wait) \(counts)"
        case .succeeded:
            return "♻️♻️♻️ \(action) required \(retries.of("retry attempt")) before success."
        case .failed(let failsTest):
            let times = "Auto Retry failed \(retries.of("time")) for action: \(action)."
            let end = failsTest ? "Failing test." : "Moving on to the next step without failing the test."
            return "♻️♻️♻️❌ [FAIL] \(times) No more retries will be attempted. \(end)"
        }
    }

    /// The message that the test fails with when no try has succeeded.
    var failure: String {
        let tries = (retries + 1).of("try", "tries")
        let cancelled = wasCancelled ? ", and its task was cancelled" : ""
        let error = lastError.map { "; last error, thrown by try \($0.tryNumber): \($0.text)" } ?? ""
        return "autoRetry: \(action) did not succeed in \(tries)\(cancelled)\(error)".escapingControlCharacters
    }

    /// The message that the test fails with for a negative number of retries.
    var mistake: String? {
        allowedRetries < 0 ? "autoRetry: retryAttempts is \(allowedRetries); allowed is 0 or more" : nil
    }

    private var remaining: Int { max(0, allowedRetries - retries) }
}

// MARK: - The report

/// Opens and completes the report where only steps of plain `XCTestCase`s use Retryable.
final class StepReport: NSObject, XCTestObservation {
    /// Opens the report once, and has it completed at the end. Later accesses cost nothing.
    static let open: Void = {
        // Where there is a RetryableTestCase, its observer has done both before any test ran.
        guard ProcessRun.shared.begin(inMidRun: true) else { return }
        XCTestObservationCenter.shared.addTestObserver(StepReport())
    }()

    func testBundleDidFinish(_ testBundle: Bundle) { ProcessRun.shared.finish() }
}
