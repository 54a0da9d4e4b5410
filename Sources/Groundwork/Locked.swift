/// A value that several threads share; it can be reached under its lock only.
///
/// Inlined where it is used: every section takes its attempt's lock twice.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    // Safe to send: `value` is only ever touched between `pthread_mutex_lock` and `pthread_mutex_unlock`.
    // Each attempt of each test has a lock, so it is the system's own: Foundation's is three of them on Linux. And the
    // thread sanitizer knows it, where it sees nothing of Synchronization's and would find races in users' tests.
    @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// The lock is what keeps accesses apart; the runtime need not watch them, which costs more than the lock does.
    @exclusivity(unchecked) @usableFromInline
    var value: Value

    package init(_ value: sending Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Runs `body` with the value, while no other thread can.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }
}
