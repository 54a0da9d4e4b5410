import AppAutomation
import Foundation
import Groundwork

/// One wait for one event: listens from its making on, so that nothing is missed between an action and the waiting.
final class EventWait: Sendable {
    private struct State {
        var outcome: Outcome?
        var seen: [AutomationEvent] = []
        var leftOut = 0
        var continuation: CheckedContinuation<Void, Never>?
    }

    /// As many as a person reads in a failure's message.
    private static let mostSeen = 20

    private let hub: EventHub
    private let awaited: Awaited
    private let state = Locked(State())
    private let listener = Locked<UInt64?>(nil)
    private let decided = DispatchSemaphore(value: 0)

    init(for awaited: Awaited, on hub: EventHub) {
        self.hub = hub
        self.awaited = awaited
        let token = hub.listen(hearingElements: awaited.countsWhatIs) { self.hear($0) }
        listener.withLock { $0 = token }
    }

    /// Ends the listening, which keeps this wait alive. Whoever makes a wait sees to it, however it is left.
    ///
    /// Not when the wait is released: that could be while the hub is locked, by the thread that it tells of an event.
    func stopListening() {
        if let listener = listener.withLock({ $0.take() }) { hub.stopListening(listener) }
    }

    private func hear(_ event: AutomationEvent) {
        if awaited.isMet(by: event) {
            decide(.met)
        } else if case .end(let reason) = event {
            decide(.ended(reason))
        } else {
            state.withLock { state in
                guard state.outcome == nil else { return }
                state.seen.append(event)
                if state.seen.count > Self.mostSeen {
                    state.seen.removeFirst()
                    state.leftOut += 1
                }
            }
        }
    }

    /// The first decision stands.
    private func decide(_ outcome: Outcome) {
        let (isFirst, continuation) = state.withLock { state in
            guard state.outcome == nil else { return (false, CheckedContinuation<Void, Never>?.none) }
            state.outcome = outcome
            return (true, state.continuation.take())
        }
        guard isFirst else { return }
        continuation?.resume()
        decided.signal()
        // Wakes the main thread's run loop, should the test be waiting there.
        DispatchQueue.main.async {}
    }

    private var outcome: Outcome? {
        state.withLock { $0.outcome }
    }

    /// Blocks the thread until it is decided. On the main thread, what is queued there runs meanwhile.
    func wait(timeout: TimeInterval) -> Outcome {
        // On the clock that nobody sets: a run on CI may well see the other one jump.
        let deadline = DispatchTime.now() + timeout
        if Thread.isMainThread {
            // False if it cannot run here, inside a block of the main queue: then nothing is left but to block.
            while outcome == nil, DispatchTime.now() < deadline {
                let rest = Double(deadline.uptimeNanoseconds) - Double(DispatchTime.now().uptimeNanoseconds)
                guard RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: rest / 1e9)) else { break }
            }
        }
        if outcome == nil { _ = decided.wait(timeout: deadline) }
        decide(.timedOut)
        return outcome ?? .timedOut
    }

    /// Suspends the task until it is decided.
    func wait(timeout: TimeInterval) async -> Outcome {
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { [weak self] in self?.decide(.timedOut) }
        timer.schedule(deadline: .now() + timeout)
        timer.activate()
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDecided = state.withLock { state in
                    if state.outcome == nil { state.continuation = continuation }
                    return state.outcome != nil
                }
                if isDecided { continuation.resume() }
            }
        } onCancel: {
            decide(.cancelled)
        }
        return outcome ?? .timedOut
    }

    /// What is said of this wait if it was in vain.
    func failure(_ outcome: Outcome, timeout: TimeInterval) -> String {
        let (seen, leftOut) = state.withLock { ($0.seen, $0.leftOut) }
        return failureMessage(awaited, outcome, timeout: timeout, seen: seen, leftOut: leftOut)
    }
}
