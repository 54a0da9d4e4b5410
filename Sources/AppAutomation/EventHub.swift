import Groundwork

/// Where an app's events come in and those who listen hear of them.
///
/// A process has one for its own events; a test has one more for each app process it launched.
package final class EventHub: Sendable {
    /// The hub of this process.
    package static let shared = EventHub()

    /// Hears of events one at a time, in their order, while the hub is locked: it must be quick and must not call the
    /// hub.
    package typealias Listener = @Sendable (AutomationEvent) -> Void

    private struct State {
        var listeners: [UInt64: Listener] = [:]
        var nextListener: UInt64 = 0
        var elements: [ElementIdentifier: ElementState] = [:]
        var end: AutomationEvent?
    }

    private let state = Locked(State())

    package init() {}

    /// Tells everybody who listens; a checkpoint that nobody listens for leaves no trace.
    package func post(_ event: AutomationEvent) {
        state.withLock { state in
            switch event {
            case .element(let identifier, let elementState): state.elements[identifier] = elementState
            case .end:
                // Nothing is on the screen of an app that has ended.
                state.elements.removeAll()
                state.end = event
            case .checkpoint: break
            }
            guard !state.listeners.isEmpty else { return }
            for listener in state.listeners.values {
                listener(event)
            }
        }
    }

    /// Listens from now on, until ``stopListening(_:)``.
    ///
    /// With `hearingElements`, the listener first hears of the state that every element is in. An end is heard at any
    /// time.
    package func listen(hearingElements: Bool = false, _ listener: @escaping Listener) -> UInt64 {
        state.withLock { state in
            if hearingElements {
                for (identifier, elementState) in state.elements {
                    listener(.element(identifier, elementState))
                }
            }
            if let end = state.end { listener(end) }
            state.nextListener += 1
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
    }

    /// Ends listening; no event is heard after it.
    package func stopListening(_ listener: UInt64) {
        state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
    }

    /// Forgets every element, so that one test does not see what another left.
    package func forgetElements() {
        state.withLock { $0.elements.removeAll() }
    }
}
