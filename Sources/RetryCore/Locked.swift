#if canImport(Darwin)
    import Foundation
#else
    import Synchronization
#endif

/// A value that several threads share; it can be reached under its lock only.
package final class Locked<Value>: @unchecked Sendable {
    // Safe to send: `value` is only ever touched under the lock.
    #if canImport(Darwin)
        private let lock = NSLock()
    #else
        // Foundation's lock is three allocations here, for each attempt of each test.
        private let lock = Mutex(())
    #endif
    /// The lock is what keeps accesses apart; the runtime need not watch them, which costs more than the lock does.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` with the value, while no other thread can.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        #if canImport(Darwin)
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        #else
            return try lock.withLock { _ in try body(&value) }
        #endif
    }
}
