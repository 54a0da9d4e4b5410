/// What goes from an app to its tests.
package enum AutomationEvent: Hashable, Codable, Sendable {
    case checkpoint(Checkpoint)
    case element(ElementIdentifier, ElementState)
    /// The answer to a test that asked how far the app is: all that the app posted before comes before it. The test asks
    /// with the same line.
    case fence(UInt64)
    /// Nothing comes any more, for this reason. Posted on the test's side alone, never sent.
    case end(String)
}

extension AutomationEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .checkpoint(let checkpoint): "checkpoint \"\(checkpoint)\""
        case .element(let identifier, let state): "element \"\(identifier)\" \(state.rawValue)"
        case .fence(let number): "fence \(number)"
        case .end(let reason): reason
        }
    }
}
