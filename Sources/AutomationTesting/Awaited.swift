import AppAutomation
import Foundation

/// What a test waits for.
enum Awaited: Sendable {
    case checkpoint(Checkpoint)
    case element(ElementIdentifier, ElementState)
    /// The end of the app itself.
    case end

    func isMet(by event: AutomationEvent) -> Bool {
        switch (self, event) {
        case (.checkpoint(let awaited), .checkpoint(let posted)): awaited == posted
        case (.element(let identifier, let awaited), .element(let announced, let state)):
            identifier == announced && state.implies(awaited)
        case (.end, .end): true
        default: false
        }
    }

    /// Whether the states that elements are in already count.
    var countsWhatIs: Bool {
        if case .element = self { return true }
        return false
    }

    /// What did not happen, in the past tense.
    var missing: String {
        switch self {
        case .checkpoint(let checkpoint): "checkpoint \"\(checkpoint)\" was not posted"
        case .element(let identifier, let state): "element \"\(identifier)\" was not announced \(state.rawValue)"
        case .end: "the app did not end"
        }
    }
}

/// How a wait came out.
enum Outcome: Hashable, Sendable {
    case met
    case timedOut
    /// The task that waited was cancelled.
    case cancelled
    /// The app ended, for this reason, without what was awaited.
    case ended(String)
}

/// What is said of a wait that was in vain: what is missing, and what was seen instead.
///
/// - Parameters:
///   - seen: The last events that were heard, oldest first.
///   - leftOut: How many came before those.
func failureMessage(
    _ awaited: Awaited,
    _ outcome: Outcome,
    timeout: TimeInterval,
    seen: [AutomationEvent],
    leftOut: Int
) -> String {
    let cause =
        switch outcome {
        case .met, .timedOut: " within \(String(format: "%g", timeout)) s"
        case .cancelled: " before the waiting task was cancelled"
        case .ended(let reason): ": \(reason)"
        }
    let events = seen.map(\.description).joined(separator: ", ")
    let instead =
        switch (seen.isEmpty, leftOut) {
        case (true, _): "; nothing was seen instead"
        case (false, 0): "; seen instead: \(events)"
        case (false, _): "; seen instead: \(leftOut) earlier, then \(events)"
        }
    return awaited.missing + cause + instead
}
