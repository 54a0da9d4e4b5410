import Foundation
import Groundwork

/// A value that is set once, and waited for by one thread or task.
final class Decision<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())
    private let isDecided = DispatchSemaphore(value: 0)

    /// What was decided, if anything was.
    var value: Value? { state.withLock { $0.value } }

    /// Decides, unless that has been done: the first decision stands.
    func decide(_ value: Value) {
        state.withLock { state in
            guard state.value == nil else { return }
            state.value = value
            state.continuation?.resume()
            isDecided.signal()
        }
    }

    /// Blocks the thread until it is decided, which it is when the time is over.
    func wait(until deadline: DispatchTime, otherwise value: Value) -> Value {
        if self.value == nil { _ = isDecided.wait(timeout: deadline) }
        decide(value)
        return self.value ?? value
    }

    /// Suspends the task until it is decided, which it is when the time is over or the task is cancelled.
    func wait(
        until deadline: DispatchTime,
        otherwise value: Value,
        ifCancelled cancelled: Value,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Value {
        if let value = self.value { return value }
        DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in self?.decide(value) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDecided = state.withLock { state in
                    if state.value == nil { state.continuation = continuation }
                    return state.value != nil
                }
                if isDecided { continuation.resume() }
            }
        } onCancel: {
            decide(cancelled)
        }
        return self.value ?? value
    }
}
