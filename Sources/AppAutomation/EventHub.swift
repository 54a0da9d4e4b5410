import Foundation
import Groundwork

/// Where an app's events come in and those who listen hear of them.
///
/// A process has one for its own events; a test has one more for each app process it launched.
package final class EventHub: Sendable {
    /// The hub of this process.
    package static let shared = EventHub()
    /// In bytes of UTF-8: far beyond any name that somebody reads, and still sent in one go.
    package static let longestName = 4096

    /// Hears of events one at a time, in their order, while the hub is locked: it must be quick and must not call the
    /// hub.
    package typealias Listener = @Sendable (AutomationEvent) -> Void

    private struct Listening {
        let hear: Listener
        let hearsElements: Bool
        var hasBegun: Bool
    }

    private struct State {
        var listeners: [UInt64: Listening] = [:]
        var lastListener: UInt64 = 0
        var elements: [ElementIdentifier: (state: ElementState, announced: Date)] = [:]
        var end: AutomationEvent?

        func tellElements(to listening: Listening) {
            guard listening.hearsElements else { return }
            for (identifier, element) in elements { listening.hear(.element(identifier, element.state)) }
        }
    }

    private let state = Locked(State())

    package init() {}

    /// Tells all listeners. A checkpoint that has no listener is not kept.
    package func post(_ event: AutomationEvent) {
        state.withLock { state in
            var lastFence: UInt64 = 0
            switch event {
            case .element(let identifier, let elementState): state.elements[identifier] = (elementState, Date())
            case .fence(let number): lastFence = number
            case .end:
                // Nothing is on the screen of an app that has ended, and no fence comes any more.
                state.elements.removeAll()
                state.end = event
                lastFence = .max
            case .checkpoint: break
            }
            for (token, listening) in state.listeners {
                if !listening.hasBegun {
                    guard token <= lastFence else { continue }
                    state.listeners[token]?.hasBegun = true
                    state.tellElements(to: listening)
                }
                listening.hear(event)
            }
        }
    }

    /// Listens from now on, or from a fence on, until ``stopListening(_:)``.
    ///
    /// With `hearingElements`, the listener first hears of the state that every element is in by then. It also hears of the
    /// fence itself, and of the end even if no fence has come.
    ///
    /// - Returns: The listener's number, which is also that of its fence.
    package func listen(
        fromFence: Bool = false,
        hearingElements: Bool = false,
        _ listener: @escaping Listener
    ) -> UInt64 {
        state.withLock { state in
            let hasBegun = !fromFence || state.end != nil
            let listening = Listening(hear: listener, hearsElements: hearingElements, hasBegun: hasBegun)
            if hasBegun { state.tellElements(to: listening) }
            if let end = state.end { listener(end) }
            state.lastListener += 1
            state.listeners[state.lastListener] = listening
            return state.lastListener
        }
    }

    /// Ends listening; no event is heard after it.
    package func stopListening(_ listener: UInt64) {
        state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
    }

    /// Forgets every element that was announced before this date, so that one test does not see what another left.
    package func forgetElements(announcedBefore date: Date = .distantFuture) {
        state.withLock { $0.elements = $0.elements.filter { $0.value.announced >= date } }
    }
}

extension EventHub {
    /// Posts what this process's own code says, unless its name is too long.
    func postOwn(_ event: AutomationEvent, named name: String) {
        guard name.utf8.count <= Self.longestName else {
            return writeToStandardError(
                "AppAutomation: not posted, because its name is \(name.utf8.count) bytes long and at most "
                    + "\(Self.longestName) are allowed: \(String(event.description.prefix(60)))…"
            )
        }
        post(event)
    }
}
