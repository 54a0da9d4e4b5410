import AppAutomation

/// What a test waits for.
enum AwaitedEvent: Sendable {
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

    /// What did not happen, in the past tense.
    var missing: String {
        switch self {
        case .checkpoint(let checkpoint): "checkpoint \"\(checkpoint)\" was not posted"
        case .element(let identifier, let state): "element \"\(identifier)\" was not announced \(state.rawValue)"
        case .end: "the app did not end"
        }
    }
}
