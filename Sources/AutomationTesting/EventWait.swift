import AppAutomation
import Foundation
import Groundwork

/// The events that a test waits for. Only this module makes and uses them.
public struct EventSource: Sendable {
    /// The connection to an app; `nil` for the app's code in the test's own process.
    var link: AppLink?
    /// The earliest time of an announcement that counts although it was made before the wait.
    var elementsSince: UInt64 = 0
    let scope: TestScope

    var hub: EventHub { link?.hub ?? .shared }

    @_disfavoredOverload
    func wait(
        for awaited: AutomationEvent.Kind,
        timeout: TimeInterval,
        perform action: () throws -> Void
    ) rethrows -> WaitResult {
        let wait = EventWait(for: awaited, in: self)
        defer { wait.stopListening() }
        try action()
        return wait.finish(timeout: timeout)
    }

    func wait(
        for awaited: AutomationEvent.Kind,
        timeout: TimeInterval,
        isolation: isolated (any Actor)? = #isolation,
        perform action: () async throws -> Void
    ) async rethrows -> WaitResult {
        let wait = EventWait(for: awaited, in: self)
        defer { wait.stopListening() }
        try await action()
        return await wait.finish(timeout: timeout)
    }
}

struct WaitResult {
    /// The message of the failure; `nil` if the event came.
    let failure: String?
    let scope: TestScope

    /// Fails the test at a line if the event did not come. Returns true if it came.
    func report(_ file: StaticString, _ line: UInt) -> Bool {
        if let failure { scope.fail(failure, file, line) }
        return failure == nil
    }

    /// Fails the test at a line, and throws an error that stops it, if the event did not come.
    func check(_ file: StaticString, _ line: UInt) throws {
        if let failure { throw scope.stop(failure, file, line) }
    }
}

/// One wait for one event, which begins before the action that leads to the event.
///
/// A checkpoint counts if it was posted after the wait began, an element in its newest state.
final class EventWait: Sendable {
    private enum Outcome: Sendable {
        case met, timedOut
        /// The cause, in words that continue the sentence about the missing event.
        case failed(String)
    }

    private struct State {
        var outcome: Outcome?
        /// Resumes the thread or task that waits.
        var resume: (@Sendable () -> Void)?
        var deadline = UInt64.max
        /// The number of seconds by which the event came too late.
        var delay: Double?
        var seen: [String] = []
    }

    private let awaited: AutomationEvent.Kind
    private let source: EventSource
    /// The consequence of a failure, with which its message begins.
    private let consequence: String
    /// The earliest time of a checkpoint that counts.
    private let start: UInt64
    /// The app was ended with an earlier test, and so did not end by itself.
    private let isOfEndedTest: Bool
    private let state = Locked(State())

    init(for awaited: AutomationEvent.Kind, in source: EventSource, consequence: String = "") {
        (self.awaited, self.source, self.consequence) = (awaited, source, consequence)
        source.link?.receive()
        isOfEndedTest = source.link?.hasEndedWithTest == true
        // Another process's older checkpoints may still arrive. In this process, the hub's lock decides about the order.
        start = source.link == nil ? 0 : DispatchTime.now().uptimeNanoseconds
        let isForElement = if case .element = awaited { true } else { false }
        source.hub.listen(self, elementsSince: isForElement ? source.elementsSince : .max) { self.note($0) }
    }

    /// Stops listening, which keeps this wait alive. A wait that is never finished needs it, too.
    func stopListening() { source.hub.stopListening(self) }

    private func note(_ event: AutomationEvent) {
        if case .checkpoint = event.kind, event.time < start { return }
        let outcome = state.withLock { state -> Outcome? in
            if event.kind.meets(awaited), !isOfEndedTest {
                if event.time <= state.deadline { return .met }
                state.delay = state.delay ?? Double(event.time - state.deadline) / 1e9
            } else if case .end(let reason) = event.kind {
                return .failed(": \(reason)")
            } else if state.outcome == nil {
                state.seen.append("\(event.kind)")
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
    func finish(timeout: TimeInterval) -> WaitResult {
        let deadline = DispatchTime.now() + timeout
        let isMain = Thread.isMainThread
        let isOver = DispatchSemaphore(value: 0)
        resumeOnceDecided(until: deadline) {
            isOver.signal()
            // Wakes the run loop.
            if isMain { DispatchQueue.main.async {} }
        }
        if isMain { runMainLoop(until: deadline) { isDecided } }
        // Inside a block of the main queue, the run loop cannot run, and the thread is blocked as any other.
        _ = isOver.wait(timeout: deadline)
        return result(timeout)
    }

    /// Suspends the task until it is decided.
    func finish(timeout: TimeInterval, isolation: isolated (any Actor)? = #isolation) async -> WaitResult {
        let deadline = DispatchTime.now() + timeout
        if !isDecided { DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in self?.timeOut() } }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                resumeOnceDecided(until: deadline) { continuation.resume() }
            }
        } onCancel: {
            decide(.failed(" before the waiting task was cancelled"))
        }
        return result(timeout)
    }

    private func resumeOnceDecided(until deadline: DispatchTime, _ resume: @escaping @Sendable () -> Void) {
        let isDecided = state.withLock { state in
            state.deadline = deadline.uptimeNanoseconds
            if state.outcome == nil { state.resume = resume }
            return state.outcome != nil
        }
        if isDecided { resume() }
    }

    /// Decides that the time is over, unless the app has posted the event by now.
    private func timeOut() {
        source.link?.receive()
        decide(.timedOut)
    }

    /// The result, in which the message of a failure says what is missing, why, and what was seen instead.
    private func result(_ timeout: TimeInterval) -> WaitResult {
        timeOut()
        stopListening()
        let state = state.withLock { $0 }
        var message = consequence + awaited.missing
        switch state.outcome {
        case .met: return WaitResult(failure: nil, scope: source.scope)
        case .failed(let cause): message += cause
        case .timedOut, nil:
            message += String(format: " within %g s", timeout)
            if let delay = state.delay { message += String(format: ", but %.3g s too late", delay) }
        }
        message += state.seen.isEmpty ? "; nothing was seen instead" : "; seen instead: "
        let last = state.seen.suffix(20)  // as many as a person reads
        if state.seen.count > last.count { message += "\(state.seen.count - last.count) earlier, then " }
        message += last.joined(separator: ", ")
        if let remark = source.link?.remark ?? noEvents { message += "\n" + remark }
        return WaitResult(failure: message, scope: source.scope)
    }
}

extension AutomationEvent.Kind {
    static let anyEnd = AutomationEvent.Kind.end("")

    /// Returns true if this event is the awaited one; an element's state includes those that it implies.
    fileprivate func meets(_ awaited: Self) -> Bool {
        switch (self, awaited) {
        case (.checkpoint, .checkpoint): self == awaited
        case (.element(let announced, let state), .element(let identifier, let awaited)):
            announced == identifier && state.implies(awaited)
        case (.end, .end): true
        default: false
        }
    }

    /// The failure of a wait for this event in words, without its cause.
    fileprivate var missing: String {
        switch self {
        case .checkpoint: "\(self) was not posted"
        case .element(let identifier, let state): "element \"\(identifier)\" was not announced \(state.rawValue)"
        case .end: "the app did not end by itself"
        }
    }
}

/// The cause of every failure in a build whose events are compiled to nothing.
private var noEvents: String? {
    #if DEBUG || APP_AUTOMATION
        nil
    #else
        "this build has no checkpoints: build for debugging, or with -Xswiftc -DAPP_AUTOMATION"
    #endif
}
