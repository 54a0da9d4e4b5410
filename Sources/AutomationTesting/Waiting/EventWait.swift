import AppAutomation
import Foundation
import Groundwork

/// One wait for one event, in two parts, so that nothing is missed between an action and the waiting, and nothing counts
/// that was posted before: it begins, then the action runs, then its outcome is waited for.
final class EventWait: Sendable {
    /// How a wait came out.
    enum Outcome: Hashable, Sendable {
        case met
        case timedOut
        /// The task that waited was cancelled.
        case cancelled
        /// The app ended, for this reason, without what was awaited.
        case ended(String)
    }

    private struct State {
        var deadline: DispatchTime?
        /// How many seconds after the deadline the awaited event came.
        var delay: Double?
        var seen: [AutomationEvent] = []
        var leftOut = 0
    }

    /// As many as a person reads in a failure's message.
    private static let mostSeen = 20

    private let hub: EventHub
    private let awaited: AwaitedEvent
    private let state = Locked(State())
    private let listener = Locked<UInt64?>(nil)
    /// Whether the app answered; false if it was not waited for any longer.
    private let begun = Decision<Bool>()
    private let outcome = Decision<Outcome>()

    /// Asks for a fence and listens from there on; without a `fence` to ask for, it listens at once.
    init(for awaited: AwaitedEvent, on hub: EventHub, fence: (@Sendable (UInt64) -> Void)? = nil) {
        self.hub = hub
        self.awaited = awaited
        let hearsElements = if case .element = awaited { true } else { false }
        let number = hub.listen(fromFence: fence != nil, hearingElements: hearsElements) { self.hear($0) }
        listener.withLock { $0 = number }
        if let fence { fence(number) } else { begun.decide(true) }
    }

    /// Ends the listening, which keeps this wait alive. Whoever makes a wait must call it, on every way out.
    ///
    /// `deinit` could not do it: it might run while the hub is locked, on the thread that tells the listeners of an event.
    func stopListening() {
        if let listener = listener.withLock({ $0.take() }) { hub.stopListening(listener) }
    }

    private func hear(_ event: AutomationEvent) {
        if awaited.isMet(by: event) {
            let isLate = state.withLock { state in
                guard let deadline = state.deadline, deadline < .now() else { return false }
                let nanoseconds = DispatchTime.now().uptimeNanoseconds - deadline.uptimeNanoseconds
                state.delay = state.delay ?? Double(nanoseconds) / 1e9
                return true
            }
            if !isLate { decide(.met) }
        } else if case .end(let reason) = event {
            decide(.ended(reason))
        } else if case .fence = event {
            begun.decide(true)
        } else {
            state.withLock { state in
                guard outcome.value == nil else { return }
                state.seen.append(event)
                if state.seen.count > Self.mostSeen {
                    state.seen.removeFirst()
                    state.leftOut += 1
                }
            }
        }
    }

    private func decide(_ value: Outcome) {
        begun.decide(true)
        outcome.decide(value)
        // Wakes the main thread's run loop, should the test be waiting there.
        DispatchQueue.main.async {}
    }

    /// Blocks the thread until events count, because the app has answered, or these seconds are over.
    func begin(patience: TimeInterval) {
        _ = begun.wait(until: .now() + patience, otherwise: false)
    }

    /// Suspends the task until events count, or these seconds are over.
    func begin(patience: TimeInterval, isolation: isolated (any Actor)? = #isolation) async {
        _ = await begun.wait(until: .now() + patience, otherwise: false, ifCancelled: true)
    }

    /// Blocks the thread until it is decided. On the main thread, what is queued there runs meanwhile.
    func finish(timeout: TimeInterval) -> Outcome {
        let deadline = startClock(timeout)
        if Thread.isMainThread { runMainLoop(until: deadline) { outcome.value != nil } }
        // The run loop cannot run inside a block of the main queue: there, too, the thread is blocked.
        return outcome.wait(until: deadline, otherwise: .timedOut)
    }

    /// Suspends the task until it is decided.
    func finish(timeout: TimeInterval, isolation: isolated (any Actor)? = #isolation) async -> Outcome {
        await outcome.wait(until: startClock(timeout), otherwise: .timedOut, ifCancelled: .cancelled)
    }

    private func startClock(_ timeout: TimeInterval) -> DispatchTime {
        let deadline = DispatchTime.now() + timeout
        state.withLock { $0.deadline = deadline }
        return deadline
    }

    /// The message of a wait that failed: what is missing, and what was seen instead.
    func failure(_ outcome: Outcome, timeout: TimeInterval) -> String {
        let state = state.withLock { $0 }
        let cause =
            switch outcome {
            case .met, .timedOut:
                String(format: " within %g s", timeout)
                    + (state.delay.map { String(format: ", but %.3g s too late", $0) } ?? "")
            case .cancelled: " before the waiting task was cancelled"
            case .ended(let reason): ": \(reason)"
            }
        let earlier = state.leftOut == 0 ? "" : "\(state.leftOut) earlier, then "
        let events = earlier + state.seen.map(\.description).joined(separator: ", ")
        let instead = events.isEmpty ? "; nothing was seen instead" : "; seen instead: \(events)"
        let unanswered = begun.value == false ? "; the app did not answer when the wait began: it may be stopped" : ""
        return awaited.missing + cause + instead + unanswered
    }
}
