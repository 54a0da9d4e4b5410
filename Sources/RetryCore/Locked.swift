import Foundation

/// A value that several threads share; it can be reached under its lock only.
package final class Locked<Value>: @unchecked Sendable {
    // Safe to send: `value` is only ever touched between `lock()` and `unlock()`.
    // Not the Mutex of Synchronization, which is quicker: the thread sanitizer does not see it, and finds races in users'
    // runs that are none.
    private let lock = NSLock()
    /// The lock is what keeps accesses apart; the runtime need not watch them, which costs more than the lock does.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` with the value, while no other thread can.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
