import AppAutomation
import Foundation
import Groundwork

/// The event that a test waits for.
enum AwaitedEvent: Sendable {
    case checkpoint(Checkpoint)
    case element(ElementIdentifier, ElementState)
    /// The end of the app itself.
    case end

    func isMet(by event: AutomationEvent.Kind) -> Bool {
        switch (self, event) {
        case (.checkpoint(let awaited), .checkpoint(let posted)): awaited == posted
        case (.element(let identifier, let awaited), .element(let announced, let state)):
            identifier == announced && state.implies(awaited)
        case (.end, .end): true
        default: false
        }
    }

    /// The failure in words, without its cause.
    var missing: String {
        switch self {
        case .checkpoint(let checkpoint): "checkpoint \"\(checkpoint)\" was not posted"
        case .element(let identifier, let state): "element \"\(identifier)\" was not announced \(state.rawValue)"
        case .end: "the app did not end"
        }
    }
}

/// The events that a test waits for. Only this module makes and uses them.
public struct EventSource: Sendable {
    let hub: EventHub
    /// The connection to an app; `nil` for the app's code in the test's own process.
    var link: AppLink?
    /// The time from which on announcements count that came before the wait.
    var elementsSince: UInt64 = 0
    /// The scope that a failure belongs to.
    let scope: TestScope

    /// Waits on this thread; without the event, the test fails at the caller's line.
    @_disfavoredOverload
    func wait(
        for awaited: AwaitedEvent,
        timeout: TimeInterval,
        at caller: Caller,
        perform action: () throws -> Void
    ) rethrows -> Bool {
        report(try failure(for: awaited, timeout: timeout, perform: action), at: caller)
    }

    /// Waits in this task; without the event, the test fails at the caller's line.
    func wait(
        for awaited: AwaitedEvent,
        timeout: TimeInterval,
        at caller: Caller,
        isolation: isolated (any Actor)? = #isolation,
        perform action: () async throws -> Void
    ) async rethrows -> Bool {
        report(try await failure(for: awaited, timeout: timeout, perform: action), at: caller)
    }

    private func report(_ failure: String?, at caller: Caller) -> Bool {
        if let failure { caller.fail(failure, in: scope) }
        return failure == nil
    }

    /// Waits on this thread, and returns the message of the failure, if it is one.
    func failure(
        for awaited: AwaitedEvent,
        timeout: TimeInterval,
        perform action: () throws -> Void
    ) rethrows -> String? {
        let wait = EventWait(for: awaited, in: self)
        defer { wait.stopListening() }
        try action()
        return wait.finish(timeout: timeout)
    }

    /// Waits in this task, and returns the message of the failure, if it is one.
    func failure(
        for awaited: AwaitedEvent,
        timeout: TimeInterval,
        isolation: isolated (any Actor)? = #isolation,
        perform action: () async throws -> Void
    ) async rethrows -> String? {
        let wait = EventWait(for: awaited, in: self)
        defer { wait.stopListening() }
        try await action()
        return await wait.finish(timeout: timeout)
    }
}

/// One wait for one event, which begins before the action that leads to the event.
///
/// A checkpoint counts if it was posted after the wait began, an element in its newest state.
final class EventWait: Sendable {
    private enum Outcome: Sendable {
        case met, timedOut, cancelled
        /// The app ended, for this reason.
        case ended(String)
    }

    private struct State {
        var outcome: Outcome?
        /// The time from which on checkpoints count.
        var start = UInt64.max
        /// Resumes the thread or task that waits.
        var resume: (@Sendable () -> Void)?
        var deadline = UInt64.max
        /// The number of seconds by which the event came too late.
        var delay: Double?
        var seen: [AutomationEvent.Kind] = []
        var leftOut = 0
        var listener: UInt64?
    }

    /// As many as a person reads in a failure's message.
    private static let mostSeen = 20

    private let awaited: AwaitedEvent
    private let source: EventSource
    private let state = Locked(State())

    init(for awaited: AwaitedEvent, in source: EventSource) {
        self.awaited = awaited
        self.source = source
        source.link?.receive()
        let isForElement = if case .element = awaited { true } else { false }
        let listener = source.hub.listen(elementsSince: isForElement ? source.elementsSince : .max) { self.note($0) }
        state.withLock { state in
            state.listener = listener
            // Across processes older checkpoints may be under way. In this process, the order under the hub's lock decides.
            state.start = source.link == nil ? 0 : DispatchTime.now().uptimeNanoseconds
        }
    }

    /// Ends the listening, which keeps this wait alive. Whoever makes a wait must call it, on every way out.
    func stopListening() {
        if let listener = state.withLock({ $0.listener.take() }) { source.hub.stopListening(listener) }
    }

    private func note(_ event: AutomationEvent) {
        let outcome = state.withLock { state -> Outcome? in
            if case .checkpoint = event.kind, event.time < state.start { return nil }
            if awaited.isMet(by: event.kind) {
                if event.time <= state.deadline { return .met }
                state.delay = state.delay ?? Double(event.time - state.deadline) / 1e9
            } else if case .end(let reason) = event.kind {
                return .ended(reason)
            } else if state.outcome == nil {
                state.seen.append(event.kind)
                if state.seen.count > Self.mostSeen {
                    state.seen.removeFirst()
                    state.leftOut += 1
                }
            }
            return nil
        }
        if let outcome { decide(outcome) }
    }

    private func decide(_ outcome: Outcome) {
        let resume = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            return state.resume.take()
        }
        resume?()
    }

    private var isDecided: Bool { state.withLock { $0.outcome != nil } }

    /// Blocks the thread until it is decided. On the main thread, what is queued there runs meanwhile.
    ///
    /// - Returns: The message of the failure; `nil` if the event came.
    func finish(timeout: TimeInterval) -> String? {
        let deadline = startClock(timeout)
        if Thread.isMainThread {
            state.withLock { $0.resume = { DispatchQueue.main.async {} } }
            runMainLoop(until: deadline) { isDecided }
        }
        // The run loop cannot run inside a block of the main queue: there, too, the thread is blocked.
        let isOver = DispatchSemaphore(value: 0)
        if !resumeLater({ isOver.signal() }) { _ = isOver.wait(timeout: deadline) }
        return failure(timeout)
    }

    /// Suspends the task until it is decided.
    ///
    /// - Returns: The message of the failure; `nil` if the event came.
    func finish(timeout: TimeInterval, isolation: isolated (any Actor)? = #isolation) async -> String? {
        let deadline = startClock(timeout)
        if !isDecided {
            DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in self?.timeOut() }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    if resumeLater({ continuation.resume() }) { continuation.resume() }
                }
            } onCancel: {
                decide(.cancelled)
            }
        }
        return failure(timeout)
    }

    private func startClock(_ timeout: TimeInterval) -> DispatchTime {
        let deadline = DispatchTime.now() + timeout
        state.withLock { $0.deadline = deadline.uptimeNanoseconds }
        return deadline
    }

    /// - Returns: True if it is decided already; then nothing is resumed.
    private func resumeLater(_ resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.outcome == nil { state.resume = resume }
            return state.outcome != nil
        }
    }

    /// Decides that the time is over, unless what the app has posted by now says otherwise.
    private func timeOut() {
        source.link?.receive()
        decide(.timedOut)
    }

    /// The message of a wait that failed: what is missing, why, and what was seen instead.
    private func failure(_ timeout: TimeInterval) -> String? {
        timeOut()
        // All that the app wrote before it posted is in the pipes by now.
        source.link?.readStreams()
        let state = state.withLock { $0 }
        let cause: String
        switch state.outcome {
        case .met: return nil
        case .cancelled: cause = " before the waiting task was cancelled"
        case .ended(let reason): cause = ": \(reason)"
        case .timedOut, nil:
            cause =
                String(format: " within %g s", timeout)
                + (state.delay.map { String(format: ", but %.3g s too late", $0) } ?? "")
        }
        let events = state.seen.map(\.description).joined(separator: ", ")
        let earlier = state.leftOut == 0 ? "" : "\(state.leftOut) earlier, then "
        let instead = events.isEmpty ? "; nothing was seen instead" : "; seen instead: \(earlier)\(events)"
        let noEvents = "this build has no checkpoints: build for debugging, or with -Xswiftc -DAPP_AUTOMATION"
        let remark = source.link?.remark ?? (isAutomationCompiledIn ? "" : noEvents)
        return awaited.missing + cause + instead + (remark.isEmpty ? "" : "\n" + remark)
    }
}
